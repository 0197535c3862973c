// The entry of the playground.
import { QueryClient } from '@tanstack/react-query';
import { firstPaint, takeOver } from '../../../web/src/app/takeOver.tsx';
import { PlaygroundPage } from './PlaygroundPage.tsx';
import './playground.css';

const client = new QueryClient({ defaultOptions: { queries: { retry: 1 } } });

firstPaint().then(() => takeOver(client, <PlaygroundPage />));
