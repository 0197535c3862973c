#!/usr/bin/env node
/**
 * Stands in for the native engine that Prisma's CLI downloads: the same arguments and the same JSON-RPC over standard
 * input and output, answered by the WebAssembly build of that engine from npm. So the CLI works without a download.
 * Prisma's packages have to stay pinned: this file relies on how these very versions speak to each other.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';

const ENGINE_PACKAGE = dirname(createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm'));
/** PostgreSQL's one-byte type "char", which its catalogues use. */
const CHAR_OID = 18;
/** Blank-padded text, which the adapter knows how to read in its place. */
const BPCHAR_OID = 1042;
const NO_FILTERS = { externalTables: [], externalEnums: [] };
/** What the CLI expects as error code of a connection that cannot be made. */
const CONNECTION_ERRORS = { '3D000': 'P1003', '28P01': 'P1000' };

const argv = process.argv.slice(2);

if (argv.includes('--version')) {
  const { version } = JSON.parse(readFileSync(join(ENGINE_PACKAGE, 'package.json'), 'utf8'));
  process.stdout.write(`schema-engine-cli wasm-${version}\n`);
} else {
  const { url } = JSON.parse(optionValues('--datasource')[0] ?? '{}');
  const cli = argv.indexOf('cli');
  if (cli >= 0) process.exitCode = await runCommand(argv[cli + 1], parseUrl(url));
  else await serve(parseUrl(url ?? 'postgresql://none:none@127.0.0.1:1/none'));
}

function optionValues(name) {
  return argv.flatMap((argument, index) => (argument === name ? [argv[index + 1]] : []));
}

/** Connection settings instead of the URL: with a URL the adapter ignores which database a second connection is for. */
function parseUrl(text) {
  const url = new URL(text);
  const sslmode = url.searchParams.get('sslmode') ?? 'disable';
  return {
    schema: url.searchParams.get('schema') ?? undefined,
    settings: {
      host: url.searchParams.get('host') ?? url.hostname,
      port: Number(url.port || 5432),
      user: decodeURIComponent(url.username),
      password: decodeURIComponent(url.password),
      database: decodeURIComponent(url.pathname.slice(1)),
      connectionTimeoutMillis: 10_000,
      ...(sslmode === 'disable' ? {} : { ssl: { rejectUnauthorized: sslmode.startsWith('verify') } }),
    },
  };
}

/** The one-shot commands. Returns the exit code. */
async function runCommand(command, { settings }) {
  const name = pg.escapeIdentifier(settings.database);
  try {
    if (command === 'can-connect-to-database') await query(settings, 'SELECT 1');
    else if (command === 'create-database')
      await query({ ...settings, database: 'postgres' }, `CREATE DATABASE ${name}`);
    else if (command === 'drop-database') {
      await query({ ...settings, database: 'postgres' }, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    } else throw new Error(`unknown command: ${command}`);
    return 0;
  } catch (error) {
    const missing = error.code === '3D000';
    const message = missing ? `Database \`${settings.database}\` does not exist` : error.message || error.code;
    // The CLI skips the first line: the native engine opens with one that says it has started.
    report('INFO', { message: 'start' });
    report('ERROR', { message, error_code: CONNECTION_ERRORS[error.code] ?? 'P1001' });
    return 1;
  }
}

function report(level, fields) {
  const line = { timestamp: new Date().toISOString(), level, fields, target: 'schema_engine::logger' };
  process.stderr.write(`${JSON.stringify(line)}\n`);
}

async function query(settings, text) {
  const client = new pg.Client(settings);
  await client.connect();
  try {
    return await client.query(text);
  } finally {
    await client.end();
  }
}

/** Answers one JSON-RPC request a line until the CLI closes its end. */
async function serve(connection) {
  let panic;
  globalThis.PRISMA_WASM_PANIC_REGISTRY = {
    set_message(message) {
      panic = message;
    },
  };
  let engine;
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    const request = parseRequest(line);
    if (!request) continue;
    const { id, method, params = {} } = request;
    try {
      engine ??= await loadEngine(connection);
      send({ id, result: (await answer(engine, connection, method, params)) ?? null });
    } catch (error) {
      // The engine appends a backtrace of its own to the message.
      const message = panic ?? String(error.message).split('\n   0: ')[0];
      const data = { is_panic: false, message, error_code: error.code ?? null, meta: null };
      panic = undefined;
      send({ id, error: { code: 4466, message: 'An error happened. Check the data field for details.', data } });
    }
  }
  process.exit(0);
}

function parseRequest(line) {
  try {
    const request = JSON.parse(line);
    return request.method ? request : undefined;
  } catch {
    return undefined;
  }
}

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

/** Most methods are the engine's own; these differ between the native and the WebAssembly build. */
async function answer(engine, { settings }, method, params) {
  if (method === 'getDatabaseVersion') return engine.version();
  if (method === 'createDatabase') return { databaseName: settings.database };
  if (method === 'diff') {
    const { stdout, exitCode } = await engine.diff({ ...params, filters: params.filters ?? NO_FILTERS });
    // The native engine has the CLI print the result by a request of its own.
    if (stdout != null) send({ id: 1, method: 'print', params: { content: stdout } });
    return { exitCode, stdout: null };
  }
  if (method === 'createMigration') return createMigration(engine, params);
  return engine[method](params);
}

/** The WebAssembly build cannot open a shadow database here, but its diff of migrations and schema gives the same. */
async function createMigration(engine, params) {
  const { migrationsList, schema, migrationName, draft, filters = NO_FILTERS } = params;
  const isFirst = migrationsList.migrationDirectories.length === 0;
  const { stdout } = await engine.diff({
    from: isFirst ? { tag: 'empty' } : { tag: 'migrations', ...migrationsList },
    to: { tag: 'schemaDatamodel', ...schema },
    script: true,
    exitCode: null,
    shadowDatabaseUrl: null,
    filters,
  });
  const isEmpty = stdout.startsWith('-- This is an empty migration');
  const date = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
  return {
    connectorType: 'postgresql',
    generatedMigrationName: `${date}_${migrationName || 'migration'}`.replace(/\W+/g, '_'),
    migrationScript: isEmpty && !draft ? null : stdout,
    extension: 'sql',
  };
}

async function loadEngine({ settings, schema }) {
  const { PrismaPg } = await import('@prisma/adapter-pg');
  const { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } = await import('@prisma/driver-adapter-utils');
  const bindings = await import('@prisma/schema-engine-wasm/schema_engine_bg');
  const code = readFileSync(join(ENGINE_PACKAGE, 'schema_engine_bg.wasm'));
  const { instance } = await WebAssembly.instantiate(code, { './schema_engine_bg.js': bindings });
  bindings.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();

  const factory = new PrismaPg(settings, { schema });
  factory.connectToShadowDb = () => connectToShadow(settings, schema, PrismaPg);
  await mendAdapter(factory, ColumnTypeEnum);
  const datamodels = optionValues('--datamodels').map((path) => [
    path,
    existsSync(path) ? readFileSync(path, 'utf8') : Buffer.from(path, 'base64').toString(),
  ]);
  const options = { datamodels: datamodels.length > 0 ? datamodels : undefined };
  return bindings.SchemaEngine.new(options, () => {}, bindMigrationAwareSqlAdapterFactory(factory));
}

/** The adapter's own shadow database is dropped while its pool still holds a connection to it, which fails. */
async function connectToShadow(settings, schema, PrismaPg) {
  const database = `prisma_migrate_shadow_db_${randomUUID()}`;
  await query(settings, `CREATE DATABASE "${database}" TEMPLATE template0`);
  const connection = await new PrismaPg({ ...settings, database }, { schema }).connect();
  const dispose = connection.dispose.bind(connection);
  connection.dispose = async () => {
    await dispose();
    await query(settings, `DROP DATABASE IF EXISTS "${database}" WITH (FORCE)`);
  };
  return connection;
}

/**
 * Lets the adapter read the catalogue columns of type "char" that an introspection needs, and run a script as one: by itself it cuts at each semicolon, also
 * in the body of a function.
 */
async function mendAdapter(factory, ColumnTypeEnum) {
  const connection = await factory.connect();
  let prototype = Object.getPrototypeOf(connection);
  while (prototype && !Object.hasOwn(prototype, 'performIO')) prototype = Object.getPrototypeOf(prototype);
  const { performIO, queryRaw } = prototype;
  const charColumns = new WeakMap();
  prototype.performIO = async function (request) {
    const result = await performIO.call(this, request);
    const columns = (result.fields ?? []).flatMap((field, index) => (field.dataTypeID === CHAR_OID ? [index] : []));
    for (const index of columns) result.fields[index].dataTypeID = BPCHAR_OID;
    if (columns.length > 0) charColumns.set(result.rows, columns);
    return result;
  };
  prototype.queryRaw = async function (request) {
    const result = await queryRaw.call(this, request);
    for (const index of charColumns.get(result.rows) ?? []) result.columnTypes[index] = ColumnTypeEnum.Character;
    return result;
  };
  Object.getPrototypeOf(connection).executeScript = async function (script) {
    await this.client.query(script).catch((error) => this.onError(error));
  };
  await connection.dispose();
}
