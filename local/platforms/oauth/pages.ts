/** The page on which people of the local stack choose who they are: plain HTML that says where it is. */
import type { Person } from '../../stack/people.ts';

const LABELS = { discord: 'Discord', x: 'X', telegram: 'Telegram' };
export type LocalPlatform = keyof typeof LABELS;

const STYLE = `
  :root { color-scheme: light dark }
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 26rem; margin: 0 auto; padding: 1.5rem 1rem }
  .note { border: 1px solid; border-radius: .5rem; padding: .5rem .75rem; font-size: .875rem }
  form { display: grid; gap: .5rem; margin: 1.5rem 0 }
  button { font: inherit; min-height: 3rem; border-radius: .5rem; border: 1px solid; background: transparent; color: inherit; cursor: pointer }
`;

/** @param asks what the application wants, in words */
export function choicePage(platform: LocalPlatform, people: Person[], asks: string): string {
  const label = LABELS[platform];
  const buttons = people.map(
    ({ name }) => `<button name="person" value="${plainText(name)}">Continue as ${plainText(name)}</button>`,
  );
  return page(
    `${label} of the local stack`,
    `<h1>${label}</h1>
    <p class="note">This is the local stack’s ${label}: nothing leaves this machine, and no real account is used.</p>
    <p>Ampersat wants to ${plainText(asks)}. Continue as:</p>
    <form method="post">
      ${buttons.join('\n      ')}
      <button name="cancel" value="yes">Cancel</button>
    </form>`,
  );
}

export function refusalPage(platform: LocalPlatform, why: string): string {
  return page(
    `${LABELS[platform]} of the local stack`,
    `<h1>This login can’t continue</h1>
    <p class="note">This is the local stack’s ${LABELS[platform]}.</p>
    <p>${plainText(why)}</p>`,
  );
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <link rel="icon" href="data:,">
    <title>${title}</title>
    <style>${STYLE}</style>
  </head>
  <body>
    <main>
    ${body}
    </main>
  </body>
</html>
`;
}

function plainText(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}
