import { readFileSync } from 'node:fs'
import { allOperations } from '@parley/contract'
import { buildOpenApi } from '@parley/contract/openapi'
import { compileErrors, validate } from '@readme/openapi-parser'
import { describe, expect, test } from 'vitest'
import { type Contract, findBreaks } from './contract-breaks.js'

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8'))
}

/** What to do where a break is found. */
const moveOn =
  'This breaks callers. Where it is meant, and the version that has it is not released, move packages/contract/released on: `npm run generate -- --release`'

const { version } = readJson('package.json') as { version: string }
const committed = readJson('openapi.json')
/** What `JSON.stringify` leaves out is no part of a document. */
const built = JSON.parse(JSON.stringify(buildOpenApi(version))) as Contract

describe('[9-1] the contract', () => {
  test('is valid OpenAPI 3.1', async () => {
    expect(built).toMatchObject({ openapi: '3.1.0', info: { version } })
    const result = await validate(JSON.parse(JSON.stringify(built)))
    expect(result.valid ? '' : compileErrors(result)).toBe('')
    expect(result).toMatchObject({ valid: true, warnings: [] })
  })

  test('holds every operation of the API', () => {
    const described = Object.entries(built.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(
        ([method, { operationId }]) => `${operationId}: ${method.toUpperCase()} ${path}`,
      ),
    )
    const known = allOperations.map(({ operationId, method, path }) => `${operationId}: ${method} ${path}`)
    expect(known.filter((operation) => !described.includes(operation))).toEqual([])
    expect(new Set(allOperations.map((operation) => operation.operationId)).size).toBe(allOperations.length)
  })
})

describe('[API-16] the committed contract', () => {
  test('is the one that the code builds', () => {
    expect(committed, 'packages/contract/openapi.json is stale: run `npm run generate`').toEqual(built)
  })

  test('contains all of the last released one', () => {
    const released = readJson('released/openapi.json') as Contract
    expect(Object.keys(released.paths)).toContain('/api/v1/Agent')
    expect(findBreaks(released, built), moveOn).toEqual([])
  })
})

test("[9-2] changes are announced under What's New in CHANGELOG.md, this version's too", () => {
  const changelog = readFileSync(new URL('../../../CHANGELOG.md', import.meta.url), 'utf8')
  expect(changelog).toMatch(/^#+ What's New$/m)
  expect(changelog).toContain(`## ${version}`)
})
