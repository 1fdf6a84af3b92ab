  // What is seen at first.

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
