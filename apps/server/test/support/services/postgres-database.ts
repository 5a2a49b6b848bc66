import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'

export interface PostgresDatabase {
  readonly url: string
  drop(): Promise<void>
}

/** Creates a database for the caller: empty, or a clone of a template from `createTemplateOnce`. */
export async function createPostgresDatabase(
  options: { readonly template?: string } = {},
): Promise<PostgresDatabase> {
  const name = databaseName(randomUUID())
  const template = options.template ?? 'template0'
  // The file_copy strategy is twice as fast as writing every page to the WAL, which these tests do not need.
  await administer((client) =>
    client.query(`create database "${name}" template "${template}" strategy file_copy`),
  )
  return {
    url: databaseUrl(name),
    async drop() {
      await administer((client) => client.query(`drop database if exists "${name}" with (force)`))
    },
  }
}

/**
 * Creates a template database once per test run, even if many test files call this at the same time.
 * `prepare` must close its connections before it resolves.
 */
export async function createTemplateOnce(
  name: string,
  prepare: (url: string) => Promise<void>,
): Promise<string> {
  const template = databaseName(name)
  await administer(async (client) => {
    await client.query('select pg_advisory_lock(hashtext($1))', [template])
    try {
      const { rowCount } = await client.query('select from pg_database where datname = $1', [template])
      if (rowCount === 0) await prepareTemplate(client, template, prepare)
    } finally {
      await client.query('select pg_advisory_unlock(hashtext($1))', [template])
    }
  })
  return template
}

/** Only a finished template is renamed to the name that other callers look for. */
async function prepareTemplate(
  client: pg.PoolClient,
  template: string,
  prepare: (url: string) => Promise<void>,
) {
  const unfinished = databaseName(randomUUID())
  await client.query(`create database "${unfinished}" template template0`)
  await prepare(databaseUrl(unfinished))
  // PostgreSQL cannot clone a template that has open connections.
  await client.query(`alter database "${unfinished}" allow_connections false`)
  await client.query(`alter database "${unfinished}" rename to "${template}"`)
}

let administrators: pg.Pool | undefined

/**
 * The pool reuses its connections: each connection costs the server a process, and most tests need three.
 */
async function administer<T>(task: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  administrators ??= new pg.Pool({
    connectionString: inject('postgresUrl'),
    idleTimeoutMillis: 5000,
    allowExitOnIdle: true,
  }).on('error', () => {})
  const client = await administrators.connect()
  try {
    return await task(client)
  } finally {
    client.release()
  }
}

function databaseName(suffix: string): string {
  return `${inject('postgresPrefix')}${suffix}`
}

function databaseUrl(name: string): string {
  const url = new URL(inject('postgresUrl'))
  url.pathname = name
  return url.href
}
