import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'

export interface PostgresDatabase {
  readonly url: string
  drop(): Promise<void>
}

/** Creates a database of its own for the caller: empty, or a copy of what `createTemplateOnce` answered. */
export async function createPostgresDatabase(
  options: { readonly template?: string } = {},
): Promise<PostgresDatabase> {
  const name = databaseName(randomUUID())
  const template = options.template ?? 'template0'
  // Copying files is twice as quick as writing their pages to the log, which nobody is going to read.
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
 * Prepares a template database, once per test run however many files ask for it at the same time.
 * `prepare` must have closed its connections when it is done.
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

/** Only a finished template gets the name that others look for. */
async function prepareTemplate(
  client: pg.PoolClient,
  template: string,
  prepare: (url: string) => Promise<void>,
) {
  const unfinished = databaseName(randomUUID())
  await client.query(`create database "${unfinished}" template template0`)
  await prepare(databaseUrl(unfinished))
  // A template that somebody is connected to cannot be cloned.
  await client.query(`alter database "${unfinished}" allow_connections false`)
  await client.query(`alter database "${unfinished}" rename to "${template}"`)
}

let administrators: pg.Pool | undefined

/** A connection costs the server a process, and most tests want three: those that follow soon use the same one. */
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
