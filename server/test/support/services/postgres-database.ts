import { randomUUID } from 'node:crypto'
import type { Client } from 'pg'
import { inject } from 'vitest'
import { withPostgresClient } from './postgres-connection.js'

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
    // Held until this connection closes.
    await client.query('select pg_advisory_lock(hashtext($1))', [template])
    const { rowCount } = await client.query('select from pg_database where datname = $1', [template])
    if (rowCount === 0) await prepareTemplate(client, template, prepare)
  })
  return template
}

/** Only a finished template gets the name that others look for. */
async function prepareTemplate(client: Client, template: string, prepare: (url: string) => Promise<void>) {
  const unfinished = databaseName(randomUUID())
  await client.query(`create database "${unfinished}" template template0`)
  await prepare(databaseUrl(unfinished))
  // A template that somebody is connected to cannot be cloned.
  await client.query(`alter database "${unfinished}" allow_connections false`)
  await client.query(`alter database "${unfinished}" rename to "${template}"`)
}

function administer<T>(task: (client: Client) => Promise<T>): Promise<T> {
  return withPostgresClient(inject('postgresUrl'), task)
}

function databaseName(suffix: string): string {
  return `${inject('postgresPrefix')}${suffix}`
}

function databaseUrl(name: string): string {
  const url = new URL(inject('postgresUrl'))
  url.pathname = name
  return url.href
}
