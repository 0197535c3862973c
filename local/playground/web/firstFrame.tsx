// Draws the playground as it is before it has loaded anything, at build time, and prints the HTML.
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
