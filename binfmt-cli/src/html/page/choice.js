  // What is pointed at, and what is chosen.

  let hot = null, chosen = null;
  // a part, or one element of its list
  const target = (p, offset) => {
    const t = { p, s: section[p], from: start[p], to: start[p] + len[p], offset, element: -1 };
    if (width[p] && offset !== undefined) {
      t.element = Math.floor((offset - start[p]) / width[p]);
      t.from = start[p] + t.element * width[p];
      t.to = t.from + width[p];
    }
    return t;
  };
  const targetAt = (s, offset) => {
    const k = leafAt(s, offset);
    return k < 0 ? { p: -1, s, from: offset, to: offset + 1, offset, element: -1 } : target(leaves[s][k], offset);
  };
  const element = t => {
    const match = /([iuf])(8|16|32|64)(?: (le|be))?$/.exec(type[t.p]);
    if (!match) return '';
    const view = new DataView(new ArrayBuffer(8)), kind = match[1] === 'f' ? 'Float' : match[1] === 'i' ? 'Int' : 'Uint';
    for (let i = 0; i < width[t.p]; i++) view.setUint8(i, byteAt(t.s, t.from + i) || 0);
    const read = view['get' + (match[2] === '64' && kind !== 'Float' ? 'Big' : '') + kind + match[2]];
    return read ? String(read.call(view, 0, match[3] === 'le')) : '';
  };
  const tell = () => {
    const t = hot || chosen, status = $('status');
    if (!t) { status.replaceChildren(make('span', 'place', 'Point at a byte or a name. ? tells the keys.')); return; }
    const place = '0x' + hex(t.from, digits) + (t.to > t.from + 1 ? ' to 0x' + hex(t.to - 1, digits) : '') + '  ' + count(t.to - t.from);
    if (t.p < 0) { status.replaceChildren(make('span', 'value', 'not named by the decoder'), make('span', 'place', place)); return; }
    const full = path(t.p) || name[t.p];
    status.replaceChildren(
      make('span', 'path', t.element < 0 ? full : full + '[' + t.element + ']'),
      make('span', 'value c' + colour[t.p], t.element < 0 ? value[t.p] : element(t)),
      make('span', 'place', type[t.p]), make('span', 'place', place));
  };
  const paint = () => {
    const is = (t, s, o) => t && t.s === s && o >= t.from && o < t.to;
    for (const cell of $('bytes').querySelectorAll('i[data-o]')) {
      const s = +cell.dataset.s, o = +cell.dataset.o;
      cell.classList.toggle('hot', !!is(hot, s, o));
      cell.classList.toggle('select', !!is(chosen, s, o));
      cell.classList.toggle('at', !!chosen && chosen.s === s && chosen.offset === o);
    }
    const row = t => t && t.p >= 0 ? seen[placeOf(t.p)] : -1;
    const lit = row(hot), marked = row(chosen);
    for (const node of $('tree').querySelectorAll('.node')) {
      node.classList.toggle('hot', +node.dataset.p === lit);
      node.classList.toggle('select', +node.dataset.p === marked);
      node.classList.toggle('hit', found.length < 5000 && +node.dataset.p !== marked && hits.has(+node.dataset.p));
      node.setAttribute('aria-selected', +node.dataset.p === marked);
    }
    if (marked >= 0) $('tree').setAttribute('aria-activedescendant', 'part' + marked);
    tell();
  };
  const point = t => { hot = t; paint(); };
  const choose = (t, isFromTree) => {
    chosen = t;
    hot = null;
    if (t.p >= 0) {
      if (!isFromTree) unfoldTo(t.p);
      tree.show(placeOf(t.p));
    }
    bytes.show(rowOf(t.s, t.offset === undefined ? t.from : t.offset));
    paint();
    try { history.replaceState(null, '', '#0x' + hex(t.from, 0)); } catch { /* a page without an address */ }
  };

  const cellOf = event => { const c = event.target.closest('i[data-o]'); return c && targetAt(+c.dataset.s, +c.dataset.o); };
  const nodeOf = event => { const c = event.target.closest('.node'); return c && target(+c.dataset.p); };
  // rows that move below a pointer that rests are not pointed at
  let rest = '';
  const moved = event => rest !== (rest = event.clientX + ' ' + event.clientY);
  $('bytes').addEventListener('mouseover', event => moved(event) && point(cellOf(event)));
  $('tree').addEventListener('mouseover', event => moved(event) && point(nodeOf(event)));
  for (const pane of [$('bytes'), $('tree')]) {
    pane.addEventListener('mouseleave', () => point(null));
    // rows that come in sight are marked as well
    pane.addEventListener('scroll', () => requestAnimationFrame(() => requestAnimationFrame(paint)));
  }
  $('bytes').addEventListener('click', event => { const t = cellOf(event); if (t) choose(t); });
  $('tree').addEventListener('click', event => {
    const t = nodeOf(event);
    if (!t) return;
    if (event.target.closest('.fold') && isGroup(t.p)) { folded[t.p] ^= 1; refold(); }
    else choose(t, true);
  });
  $('tree').addEventListener('dblclick', event => { const t = nodeOf(event); if (t && isGroup(t.p)) { folded[t.p] ^= 1; refold(); } });
