// Prints the HTML of the page in its loading state, at build time.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToString } from 'preact-render-to-string';
import '../../../web/src/app/bareBrowser.ts';
import { PlaygroundPage } from './PlaygroundPage.tsx';

const html = renderToString(
  <QueryClientProvider client={new QueryClient()}>
    <PlaygroundPage />
  </QueryClientProvider>,
);
process.stdout.write(html);
