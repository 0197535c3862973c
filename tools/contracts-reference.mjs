// Writes docs/abi/<Router>.md: every function, event and error of a router with its selector and what the interface's NatSpec says of it.
import { toEventSelector, toFunctionSelector } from 'viem';

/**
 * @param title the router's name
 * @param artifact of the contract
 * @param docs artifacts of the interfaces that document it
 * @returns the page
 */
export function referencePage(title, { abi }, docs) {
  const rows = (type, render) =>
    abi
      .filter((item) => item.type === type)
      .map((item) => render(item, `${item.name}(${item.inputs.map(typeOf).join(',')})`))
      .sort()
      .join('');
  const functions = rows('function', (item, signature) => {
    const gives = item.outputs.length > 0 ? ` → ${item.outputs.map(parameter).join(', ')}` : '';
    const how =
      item.stateMutability === 'nonpayable'
        ? 'writes'
        : item.stateMutability === 'payable'
          ? 'writes, takes value'
          : 'reads';
    const shown = `\`${item.name}(${item.inputs.map(parameter).join(', ')})${gives}\``;
    return `| ${shown} | \`${toFunctionSelector(signature)}\` | ${how} | ${noticeOf(docs, 'methods', signature)} |\n`;
  });
  const events = rows('event', (item, signature) => {
    const shown = `\`${item.name}(${item.inputs.map((input) => parameter(input, input.indexed ? ' indexed' : '')).join(', ')})\``;
    return `| ${shown} | \`${toEventSelector(signature)}\` | ${noticeOf(docs, 'events', signature)} |\n`;
  });
  const errors = rows('error', (item, signature) => {
    const shown = `\`${item.name}(${item.inputs.map(parameter).join(', ')})\``;
    return `| ${shown} | \`${toFunctionSelector(signature)}\` | ${noticeOf(docs, 'errors', signature)} |\n`;
  });
  return `# ${title}: ABI

Written by \`node tools/contracts.mjs build\` from the contract and the NatSpec of its interfaces; do not edit.

## Functions
| function | selector | | |
|---|---|---|---|
${functions}
## Events
| event | topic | |
|---|---|---|
${events}
## Errors
| error | selector | |
|---|---|---|
${errors}
## Structs
${structsOf(abi)}`;
}

/** The structs that functions take and give, each with its fields in order. */
function structsOf(abi) {
  const found = new Map();
  const collect = (one) => {
    if (!one.components) return;
    found.set(
      parameter({ ...one, name: '' }).replace('[]', ''),
      one.components.map((field) => parameter(field)).join(', '),
    );
    for (const field of one.components) collect(field);
  };
  for (const item of abi) if (item.type === 'function') [...item.inputs, ...item.outputs].forEach(collect);
  return [...found]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([name, fields]) => `- \`${name}\`: \`${fields}\`\n`)
    .join('');
}

/** The canonical type: structs as tuples of their fields. */
function typeOf({ type, components }) {
  return components ? `(${components.map(typeOf).join(',')})${type.slice('tuple'.length)}` : type;
}

function parameter({ name, type, internalType, components }, extra = '') {
  const shown = components ? (internalType ?? type).replace(/^struct (\w+\.)?/, '') : type;
  return `${shown}${typeof extra === 'string' ? extra : ''}${name ? ` ${name}` : ''}`;
}

/** What the interfaces say, on one line. */
function noticeOf(docs, kind, signature) {
  for (const { userdoc, devdoc } of docs) {
    const users = userdoc?.[kind]?.[signature];
    const text = (Array.isArray(users) ? users[0] : users)?.notice;
    const returned = Object.values(devdoc?.[kind]?.[signature]?.returns ?? {});
    const said = [text, ...returned.map((one) => `Returns ${one}`)].filter(Boolean).join(' ');
    if (said) return said.replaceAll('|', '\\|').replace(/\s+/g, ' ').trim();
  }
  return '';
}
