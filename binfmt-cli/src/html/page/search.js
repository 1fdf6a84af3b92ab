  // Search, and going to an offset.

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
