  // What all of the script uses. Its files are one function.

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
