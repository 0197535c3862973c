/** Starts the database of argv[2], reports it to its parent and stays up: the parent kills it. */
import { startPostgres } from './postgres.ts';

const { url, pid, port } = await startPostgres({ dataDir: process.argv[2]!, database: 'app' });
process.send?.({ url, pid, port });
process.on('disconnect', () => process.exit(0));
