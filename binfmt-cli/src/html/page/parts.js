  // The parts, a group before what is in it.

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
