import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { clientMessages, closeCodes, sessionEvents } from '@parley/contract'
import { buildAsyncApi } from '@parley/contract/asyncapi'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { findSocketBreaks, type SocketContract } from './socket-breaks.js'

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8'))
}

interface Document {
  readonly info: { readonly description: string }
  readonly operations: Record<'send' | 'receive', { readonly messages: readonly { readonly $ref: string }[] }>
  readonly components: {
    readonly messages: Record<string, { readonly name: string; readonly payload: object }>
  }
}

const { version } = readJson('package.json') as { version: string }
const built = JSON.parse(JSON.stringify(buildAsyncApi(version))) as Document

describe('the description of the socket [RT-30]', () => {
  test('is valid by the AsyncAPI 3.0 schema', () => {
    const schema = createRequire(import.meta.url)('@asyncapi/specs/schemas/3.0.0-without-$id.json') as object
    const ajv = new Ajv({ strict: false, allErrors: true })
    addFormats.default(ajv)
    const isValid = ajv.compile(schema)
    expect(isValid(built) ? [] : isValid.errors).toEqual([])
  })

  test('has no broken reference', () => {
    const references = [...JSON.stringify(built).matchAll(/"\$ref":"#([^"]+)"/g)].map(
      (match) => match[1] ?? '',
    )
    expect(references.length).toBeGreaterThan(20)
    for (const reference of references) expect(resolve(built, reference), reference).toBeDefined()
  })

  test('names every message in both directions', () => {
    const namesOf = (direction: 'send' | 'receive') =>
      built.operations[direction].messages.map(
        ({ $ref }) => built.components.messages[$ref.split('/').at(-1) ?? '']?.name,
      )
    expect(namesOf('send')).toEqual([
      ...Object.keys(sessionEvents),
      'error',
      'a server event of the provider',
    ])
    expect(namesOf('receive')).toEqual([...Object.keys(clientMessages), 'a client event of the provider'])
  })

  test('lists every close code', () => {
    for (const [reason, code] of Object.entries(closeCodes))
      expect(built.info.description).toContain(`| ${code} | ${reason} |`)
  })

  test('breaks nothing in the last released description [API-16]', () => {
    const released = readJson('released/asyncapi.json') as SocketContract
    expect(Object.keys(released.components.messages)).toContain('approvalWaiting')
    expect(
      findSocketBreaks(released, JSON.parse(JSON.stringify(built)) as SocketContract),
      'This breaks clients. If it is intended and the last version is not released yet, update packages/contract/released: `npm run generate -- --release`',
    ).toEqual([])
  })

  test('is up to date', () => {
    expect(
      readJson('asyncapi.json'),
      'packages/contract/asyncapi.json is stale: run `npm run generate`',
    ).toEqual(built)
  })
})

function resolve(document: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((part, name) => (part as Record<string, unknown> | undefined)?.[name], document)
}
