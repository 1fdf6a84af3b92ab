'use strict';
(() => {
  const $ = id => document.getElementById(id);
  const data = JSON.parse($('data').textContent);
  const LINE = 16, ROW = 20, HIGHEST = 8e6;
  const hex = (n, width) => n.toString(16).padStart(width, '0');
  const count = n => n === 1 ? '1 byte' : n.toLocaleString('en') + ' bytes';

  // An element with a class and a text. Nothing of the file is ever read as HTML.
  const make = (tag, cls, text) => {
    const node = document.createElement(tag);
    if (cls) node.className = cls;
    if (text !== undefined) node.textContent = text;
    return node;
  };

  // ---- the parts, a group before what is in it -------------------------------------------------------------------

  const sections = data.sections;
  const isNamed = section => sections.length > 1 || section.title !== '';
  const n = sections.reduce((sum, s) => sum + s.start.length + (isNamed(s) ? 1 : 0), 0);
  const start = new Float64Array(n), len = new Float64Array(n), depth = new Uint32Array(n), parent = new Int32Array(n);
  const end = new Uint32Array(n), name = new Array(n), type = new Array(n), value = new Array(n);
  const colour = new Uint8Array(n), width = new Uint32Array(n), section = new Uint32Array(n);
  const folded = new Uint8Array(n);
  const leaves = sections.map(() => []);

  const unpack = text => Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
  const word = i => i < 0 ? '[' + (-i - 1) + ']' : data.words[i];
  let p = 0;
  sections.forEach((table, s) => {
    table.runs = table.runs.map(([from, text]) => ({ from, bytes: unpack(text) }));
    const runs = table.runs, last = runs[runs.length - 1];
    const deeper = isNamed(table) ? 1 : 0;
    if (deeper) {
      name[p] = table.title || data.file; type[p] = ''; value[p] = ''; section[p] = s;
      start[p] = runs.length ? runs[0].from : 0;
      len[p] = last ? last.from + last.bytes.length - start[p] : 0;
      p++;
    }
    let at = 0;
    for (let i = 0; i < table.start.length; i++, p++) {
      at += table.start[i];
      start[p] = at; len[p] = table.len[i]; depth[p] = table.depth[i] + deeper;
      name[p] = word(table.name[i]); type[p] = word(table.ty[i]); value[p] = table.value[i];
      colour[p] = table.colour[i]; width[p] = table.width[i]; section[p] = s;
    }
  });
  // where the parts inside of each end, and what each is in
  const open = [];
  const close = (level, at) => { while (open.length && depth[open[open.length - 1]] >= level) end[open.pop()] = at; };
  for (p = 0; p < n; p++) {
    close(depth[p], p);
    parent[p] = open.length ? open[open.length - 1] : -1;
    open.push(p);
  }
  close(0, n);
  const isGroup = p => end[p] > p + 1;
  for (p = 0; p < n; p++) if (!isGroup(p) && len[p] > 0 && colour[p] > 0) leaves[section[p]].push(p);
  leaves.forEach(list => list.sort((a, b) => start[a] - start[b] || a - b));

  // whether it stands for a whole section
  const isTitle = p => depth[p] === 0 && isNamed(sections[section[p]]);

  const path = p => {
    if (p < 0) return '';
    const before = path(parent[p]), own = name[p];
    if (isTitle(p)) return '';
    if (own === '') return before;
    if (own[0] === '(') return before + (before ? ' ' : '') + own;
    return own[0] === '[' || before === '' ? before + own : before + '.' + own;
  };

  // the first place of a sorted list for which a question is answered with yes
  const first = (length, isIt) => {
    let low = 0, high = length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isIt(middle)) high = middle; else low = middle + 1;
    }
    return low;
  };

  // the place among the leaves of a section of the one that has a byte, or -1
  const leafAt = (s, offset) => {
    const list = leaves[s], i = first(list.length, i => start[list[i]] > offset) - 1;
    // parts that lie elsewhere may lie over others
    for (let k = i; k >= 0 && k > i - 64; k--) if (start[list[k]] + len[list[k]] > offset) return k;
    return -1;
  };
  const byteAt = (s, offset) => {
    const runs = sections[s].runs, run = runs[first(runs.length, i => runs[i].from > offset) - 1];
    return run ? run.bytes[offset - run.from] : undefined;
  };

  // ---- lists of which only the rows that are seen exist ----------------------------------------------------------

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

  // ---- bytes -----------------------------------------------------------------------------------------------------

  // blocks of rows: a heading, lines of bytes, what is missing between them
  const blocks = [];
  let rowCount = 0;
  const block = (kind, s, from, lines, to) => { blocks.push({ kind, s, from, to, row: rowCount }); rowCount += lines; };
  sections.forEach((table, s) => {
    if (isNamed(table)) block('head', s, 0, 1);
    let known = -1;
    for (const run of table.runs) {
      const begin = Math.max(known, Math.floor(run.from / LINE)), stop = Math.ceil((run.from + run.bytes.length) / LINE);
      if (known >= 0 && begin > known) block('gap', s, known * LINE, 1, begin * LINE);
      if (stop > begin) block('lines', s, begin * LINE, stop - begin);
      known = Math.max(known, stop);
    }
    if (!table.runs.length) block('gap', s, 0, 1, 0);
  });
  const rowOf = (s, offset) => {
    let found = 0;
    for (const b of blocks) if (b.s === s && (b.kind === 'head' || b.from <= offset)) found = b.kind === 'lines' ? b.row + Math.floor((offset - b.from) / LINE) : b.row;
    return found;
  };
  const digits = Math.max(8, hex(sections.reduce((most, s) => s.runs.reduce((m, r) => Math.max(m, r.from + r.bytes.length), most), 0), 0).length);

  const drawLine = row => {
    const b = blocks[first(blocks.length, i => blocks[i].row > row) - 1];
    if (b.kind === 'head') return make('div', sections[b.s].inner ? 'row head inner' : 'row head', sections[b.s].title || data.file);
    if (b.kind === 'gap') {
      return make('div', 'row gap', b.to > b.from ? '0x' + hex(b.from, digits) + '  ' + count(b.to - b.from) + ' that are not shown' : 'no bytes');
    }
    const line = make('div', 'row'), at = b.from + (row - b.row) * LINE;
    const bytes = make('span', 'hex'), letters = make('span', 'asc');
    for (let o = at; o < at + LINE; o++) {
      const byte = byteAt(b.s, o);
      const two = make('i', 'none', '  '), one = make('i', 'none', ' ');
      if (byte !== undefined) {
        const k = leafAt(b.s, o), leaf = k < 0 ? -1 : leaves[b.s][k];
        let cls = leaf < 0 ? 'c4' : 'c' + colour[leaf] + (k & 1 ? ' odd' : ' even');
        if (leaf >= 0 && o === start[leaf]) cls += ' first';
        if (leaf >= 0 && o === start[leaf] + len[leaf] - 1) cls += ' last';
        two.className = one.className = cls;
        two.textContent = hex(byte, 2);
        one.textContent = byte > 31 && byte < 127 ? String.fromCharCode(byte) : '·';
        for (const cell of [two, one]) { cell.dataset.s = b.s; cell.dataset.o = o; }
      }
      bytes.append(two);
      letters.append(one);
    }
    line.append(make('span', 'off', hex(at, digits)), bytes, letters);
    return line;
  };
  const bytes = new Rows($('bytes'), () => rowCount, drawLine);

  // ---- the tree --------------------------------------------------------------------------------------------------

  let seen = [];
  const list = () => { seen = []; for (let p = 0; p < n; p = folded[p] ? end[p] : p + 1) seen.push(p); };
  const placeOf = p => first(seen.length, i => seen[i] > p) - 1;
  const drawNode = i => {
    const p = seen[i], row = make('div', 'node');
    row.dataset.p = p;
    row.id = 'part' + p;
    row.setAttribute('role', 'treeitem');
    row.setAttribute('aria-level', depth[p] + 1);
    for (let k = 0; k < Math.min(depth[p], 40); k++) row.append(make('span', 'guide'));
    row.append(make('span', 'fold', isGroup(p) ? (folded[p] ? '▸' : '▾') : ''));
    if (isGroup(p)) row.setAttribute('aria-expanded', !folded[p]);
    row.append(make('span', isTitle(p) ? 'name title' : 'name', name[p] || 'value'));
    if (value[p]) row.append(make('span', '', ': '), make('span', 'c' + (colour[p] || (isGroup(p) ? 4 : 0)), value[p]));
    const inside = isGroup(p) && !value[p] && !isTitle(p) ? count(len[p]) : '';
    row.append(make('span', 'type', [type[p], inside].filter(Boolean).join('  ')));
    return row;
  };
  const tree = new Rows($('tree'), () => seen.length, drawNode);
  const refold = () => { list(); tree.render(); paint(); };
  const foldAll = on => { for (let p = 0; p < n; p++) folded[p] = on && isGroup(p) && depth[p] >= (isNamed(sections[0]) ? 1 : 0) ? 1 : 0; refold(); };
  const unfoldTo = p => { let changed = false; for (let q = parent[p]; q >= 0; q = parent[q]) if (folded[q]) { folded[q] = 0; changed = true; } if (changed) list(); };

  // ---- what is pointed at, and what is chosen --------------------------------------------------------------------

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

  // ---- search, and going to an offset ----------------------------------------------------------------------------

  let found = [], hits = new Set(), now = -1, asked = '';
  const MOST = 10000;
  const search = text => {
    asked = text;
    found = [];
    const query = text.trim().toLowerCase();
    if (query) {
      const isPath = /[.[]/.test(query);
      for (let p = 0; p < n && found.length < MOST; p++) {
        const own = name[p].toLowerCase();
        if (own.includes(query) || value[p].toLowerCase().includes(query) || type[p].toLowerCase().includes(query)
          || (isPath && path(p).toLowerCase().includes(query))) found.push(target(p));
      }
      if (/^[0-9a-f]{2}(\s+[0-9a-f]{2})+$/.test(query)) lookFor(query.split(/\s+/).map(two => parseInt(two, 16)));
    }
    hits = new Set(found.map(t => t.p));
    now = -1;
    $('search').classList.toggle('bad', query !== '' && !found.length);
    tally();
    paint();
  };
  const lookFor = wanted => sections.forEach((table, s) => table.runs.forEach(run => {
    for (let i = run.bytes.indexOf(wanted[0]); i >= 0 && found.length < MOST; i = run.bytes.indexOf(wanted[0], i + 1)) {
      if (wanted.every((byte, k) => run.bytes[i + k] === byte)) {
        found.push({ ...targetAt(s, run.from + i), from: run.from + i, to: run.from + i + wanted.length, element: -1 });
      }
    }
  }));
  const tally = () => {
    const all = found.length === MOST ? MOST + '+' : found.length;
    $('hits').textContent = $('search').value.trim() ? (now < 0 ? all : now + 1 + '/' + all) : '';
  };
  const next = step => {
    if (!found.length) return;
    now = (now + step + found.length + (now < 0 && step < 0 ? 1 : 0)) % found.length;
    choose(found[now]);
    tally();
  };
  const go = text => {
    const digitsOnly = text.trim().replace(/[_\s]/g, '');
    const offset = /^(0x[0-9a-f]+|\d+)$/i.test(digitsOnly) ? Number(digitsOnly) : NaN;
    const here = chosen ? chosen.s : 0;
    const s = [here, ...sections.keys()].find(s => byteAt(s, offset) !== undefined);
    $('jump').classList.toggle('bad', s === undefined);
    if (s !== undefined) choose(targetAt(s, offset));
    return s !== undefined;
  };
  let typed = 0;
  $('search').addEventListener('input', () => { clearTimeout(typed); typed = setTimeout(() => search($('search').value), 120); });
  $('search').addEventListener('keydown', event => {
    if (event.key !== 'Enter') return;
    clearTimeout(typed);
    if (asked !== $('search').value) search($('search').value);
    next(event.shiftKey ? -1 : 1);
  });
  $('jump').addEventListener('keydown', event => { if (event.key === 'Enter' && go($('jump').value)) $('bytes').focus(); });
  $('jump').addEventListener('input', () => $('jump').classList.remove('bad'));

  // ---- the panel at the side, light and dark, keys ---------------------------------------------------------------

  const KEYS = [
    ['↑ ↓', 'the part before and after; in the bytes a line'], ['← →', 'fold and unfold; in the bytes one byte'],
    ['Page, Home, End', 'further'], ['Enter', 'fold or unfold'], ['Tab', 'from the bytes to the tree'],
    ['/', 'search names, values, types, paths, bytes such as 2a 00'], ['n  N', 'the next and the previous one found'],
    ['g', 'go to an offset, 0x1d0 or 464'], ['e  c', 'unfold and fold all'], ['d', 'the layout'], ['t', 'light or dark'],
    ['Esc', 'leave']];
  let side = '';
  const panel = what => {
    side = side === what ? '' : what;
    const pane = $('side');
    pane.hidden = !side;
    for (const id of ['layout', 'help']) $(id).setAttribute('aria-expanded', side === id);
    if (side === 'layout') pane.replaceChildren(make('h2', '', 'Layout'), make('pre', '', data.layout));
    if (side === 'help') {
      const all = make('dl');
      for (const [key, words] of KEYS) all.append(make('dt', '', key), make('dd', '', words));
      pane.replaceChildren(make('h2', '', 'Keys'), all);
    }
  };
  const root = document.documentElement;
  const turn = () => {
    const isDark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
    root.dataset.theme = isDark ? 'light' : 'dark';
  };
  $('fold').onclick = () => foldAll(true);
  $('unfold').onclick = () => foldAll(false);
  $('layout').onclick = () => panel('layout');
  $('help').onclick = () => panel('help');
  $('theme').onclick = turn;

  const inTree = key => {
    const i = chosen && chosen.p >= 0 ? placeOf(chosen.p) : -1, p = i < 0 ? -1 : seen[i];
    const to = k => { if (seen.length) choose(target(seen[Math.max(0, Math.min(seen.length - 1, k))]), true); };
    const fold = on => { folded[p] = on ? 1 : 0; refold(); };
    switch (key) {
      case 'ArrowDown': to(i + 1); break;
      case 'ArrowUp': to(i - 1); break;
      case 'PageDown': to(i + tree.fits - 1); break;
      case 'PageUp': to(i - tree.fits + 1); break;
      case 'Home': to(0); break;
      case 'End': to(seen.length - 1); break;
      case 'ArrowRight': if (p >= 0 && isGroup(p)) { if (folded[p]) fold(false); else to(i + 1); } break;
      case 'ArrowLeft': if (p >= 0) { if (isGroup(p) && !folded[p]) fold(true); else if (parent[p] >= 0) choose(target(parent[p]), true); } break;
      case 'Enter': case ' ': if (p >= 0 && isGroup(p)) fold(!folded[p]); break;
      default: return false;
    }
    return true;
  };
  const inBytes = key => {
    const page = bytes.fits * LINE, steps = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: LINE, ArrowUp: -LINE, PageDown: page, PageUp: -page };
    const s = chosen ? chosen.s : 0, runs = sections.length ? sections[s].runs : [];
    if (!runs.length || !(key in steps || key === 'Home' || key === 'End')) return false;
    const last = runs[runs.length - 1], low = runs[0].from, high = last.from + last.bytes.length - 1;
    const from = chosen ? (chosen.offset === undefined ? chosen.from : chosen.offset) : low - (steps[key] || 0);
    let to = key === 'Home' ? low : key === 'End' ? high : Math.max(low, Math.min(high, from + steps[key]));
    if (byteAt(s, to) === undefined) {
      // over what is not shown
      const k = first(runs.length, i => runs[i].from > to);
      to = to > from && k < runs.length ? runs[k].from : runs[Math.max(0, k - 1)].from + runs[Math.max(0, k - 1)].bytes.length - 1;
    }
    choose(targetAt(s, to));
    return true;
  };
  const COMMANDS = {
    '/': () => { $('search').focus(); $('search').select(); }, g: () => { $('jump').focus(); $('jump').select(); },
    e: () => foldAll(false), c: () => foldAll(true), t: turn, d: () => data.layout && panel('layout'), '?': () => panel('help'),
    n: () => next(1), N: () => next(-1), Escape: () => side && panel(side),
  };
  document.addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isTyping = event.target.tagName === 'INPUT';
    if (isTyping) { if (event.key === 'Escape') { event.target.blur(); $('tree').focus(); } return; }
    if (event.target.tagName === 'BUTTON' && (event.key === 'Enter' || event.key === ' ')) return;
    const done = (document.activeElement === $('bytes') ? inBytes : inTree)(event.key);
    const command = !done && COMMANDS[event.key];
    if (command) command();
    if (done || command) event.preventDefault();
  });

  // ---- what is seen at first -------------------------------------------------------------------------------------

  $('file').textContent = data.file;
  $('about').textContent = [data.format, data.size === null ? '' : count(data.size)].filter(Boolean).join(' · ');
  $('layout').hidden = !data.layout;
  if (data.note) { $('note').hidden = false; $('note').textContent = data.note; }
  // as many levels as there is room for
  const levels = [];
  for (p = 0; p < n; p++) levels[depth[p]] = (levels[depth[p]] || 0) + 1;
  let deepest = 0, sum = levels[0] || 0;
  while (deepest + 1 < levels.length && sum + levels[deepest + 1] <= 400) sum += levels[++deepest];
  for (p = 0; p < n; p++) folded[p] = isGroup(p) && depth[p] >= deepest ? 1 : 0;
  list();
  bytes.render();
  tree.render();
  if (!/^#0x[0-9a-f]+$/i.test(location.hash) || !go(location.hash.slice(1))) paint();
  $('tree').focus({ preventScroll: true });
})();
