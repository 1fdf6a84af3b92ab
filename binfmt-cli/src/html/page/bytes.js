  // The bytes: headings, lines, and what is missing between them.

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
