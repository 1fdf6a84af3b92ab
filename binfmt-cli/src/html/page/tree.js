  // The tree of the parts.

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
