// What each page looks like before its scripts run: drawn once, when the pages are built, by the page itself while it knows nothing.
// Prints a JSON object: HTML by page; of the checkout, of plans and of handle pages, which speak their reader's language, also by page and language.

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToString } from 'preact-render-to-string';
import { LANGUAGES } from '../../../src/domain/language.ts';
import { MISSING_PAGE, PAGES } from '../../../src/domain/pages.ts';
import { bare } from './bareBrowser.ts';
import { loadFirstPage } from './pages.ts';

const frames: Record<string, string> = {};
// It reads what the reader prefers as soon as it is loaded.
const { chooseLanguage } = await import('../payer/checkout/language.ts');
for (const { path, page } of [...PAGES, MISSING_PAGE]) {
  bare.pathname = path;
  const Page = await loadFirstPage(path);
  const draw = () =>
    renderToString(
      <QueryClientProvider client={new QueryClient()}>
        <Page />
      </QueryClientProvider>,
    );
  frames[page] = draw();
  if (!/^payer\/(checkout|handle|plan)\//.test(page)) continue;
  for (const language of LANGUAGES) {
    await chooseLanguage(language);
    frames[`${page}.${language}`] = draw();
  }
  await chooseLanguage('en');
}
process.stdout.write(JSON.stringify(frames));
