  // The panel at the side, light and dark, keys.

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
