import { readFileSync } from 'node:fs'
import { allOperations } from '@parley/contract'
import { buildOpenApi } from '@parley/contract/openapi'
import { compileErrors, validate } from '@readme/openapi-parser'
import { describe, expect, test } from 'vitest'
import { type Contract, findBreaks } from './contract-breaks.js'

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8'))
}

/** Advice for a failing comparison. */
const moveOn =
  'This breaks callers. If it is intended and the last version is not released yet, update packages/contract/released: `npm run generate -- --release`'

const { version } = readJson('package.json') as { version: string }
const committed = readJson('openapi.json')
/** A document contains only what `JSON.stringify` keeps. */
const built = JSON.parse(JSON.stringify(buildOpenApi(version))) as Contract

describe('the contract [9-1]', () => {
  test('is valid OpenAPI 3.1', async () => {
    expect(built).toMatchObject({ openapi: '3.1.0', info: { version } })
    const result = await validate(JSON.parse(JSON.stringify(built)))
    expect(result.valid ? '' : compileErrors(result)).toBe('')
    expect(result).toMatchObject({ valid: true, warnings: [] })
  })

  test('contains every operation of the API', () => {
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

describe('the committed contract [API-16]', () => {
  test('is up to date', () => {
    expect(committed, 'packages/contract/openapi.json is stale: run `npm run generate`').toEqual(built)
  })

  test('breaks nothing in the last released contract', () => {
    const released = readJson('released/openapi.json') as Contract
    expect(Object.keys(released.paths)).toContain('/api/v1/Agent')
    expect(findBreaks(released, built), moveOn).toEqual([])
  })
})

test("changes of this version are announced in What's New, CHANGELOG.md [9-2]", () => {
  const changelog = readFileSync(new URL('../../../CHANGELOG.md', import.meta.url), 'utf8')
  expect(changelog).toMatch(/^#+ What's New$/m)
  expect(changelog).toContain(`## ${version}`)
})
