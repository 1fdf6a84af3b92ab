  // Lists of which only the rows that are seen exist.

  class Rows {
    constructor(pane, length, draw) {
      Object.assign(this, { pane, length, draw, from: 0 });
      this.all = pane.querySelector('.all');
      this.seen = pane.querySelector('.seen');
      let waits = false;
      const later = () => { if (!waits) { waits = true; requestAnimationFrame(() => { waits = false; this.render(); }); } };
      pane.addEventListener('scroll', later);
      new ResizeObserver(later).observe(pane);
    }
    // browsers draw nothing beyond some height: then a step of the bar is several rows
    get height() { return Math.min(this.length() * ROW, HIGHEST); }
    get fits() { return Math.max(1, Math.floor(this.pane.clientHeight / ROW)); }
    get ratio() { const room = this.height - this.pane.clientHeight; return room > 0 ? (this.length() - this.fits) / room : 1 / ROW; }
    get isScaled() { return this.length() * ROW > HIGHEST; }
    render() {
      this.all.style.height = this.height + 'px';
      const top = this.pane.scrollTop, length = this.length();
      this.from = Math.max(0, Math.min(length - 1, Math.floor(this.isScaled ? top * this.ratio : top / ROW)));
      this.seen.style.transform = 'translateY(' + (this.isScaled ? top : this.from * ROW) + 'px)';
      const rows = [];
      for (let i = this.from; i < Math.min(length, this.from + this.fits + 2); i++) rows.push(this.draw(i));
      this.seen.replaceChildren(...rows);
    }
    show(i) {
      if (i < this.from + 1 || i > this.from + this.fits - 2) {
        const at = Math.max(0, i - (this.fits >> 1));
        this.all.style.height = this.height + 'px';
        this.pane.scrollTop = this.isScaled ? at / this.ratio : at * ROW;
      }
      this.render();
    }
  }
