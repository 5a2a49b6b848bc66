import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { contentTypeOf } from '#server/adapters/http-tools/content-type.js'
import { readResponse } from '#server/adapters/http-tools/read-response.js'
import { concealerOf } from '#server/adapters/secret-redaction/conceal-secrets.js'
import { finishOutcome } from '#server/adapters/secret-redaction/outcomes.js'
import type { OutboundResponse } from '#server/ports/outbound.js'

function jsonResponse(body: string): OutboundResponse {
  const bytes = Buffer.from(body)
  return {
    status: 200,
    headers: new Map([['content-type', 'application/json']]),
    body: Readable.from([bytes]),
    bytes: async () => bytes,
  } as unknown as OutboundResponse
}

const noSecrets = concealerOf([])

test('conceals secrets in the shown part of a long text and shows no part of one at its cut [BND-1]', () => {
  const secret = 'k'.repeat(8000)
  const conceal = concealerOf([secret])
  const { output } = finishOutcome({ ok: true, output: `${'k'.repeat(7999)}b`.repeat(120) }, conceal)
  expect(output.length).toBeLessThanOrEqual(64 * 1024)
  const across = `${secret.repeat(9)}end`
  expect(finishOutcome({ ok: true, output: across }, conceal).output).not.toContain('kkkkkk')
})

describe('removes white space from JSON [TOOL-5]', () => {
  test.each([
    ['{ "a b" : [ 1 , 2 ]\n}', '{"a b":[1,2]}'],
    ['{"a \\" b": 1}', '{"a \\" b":1}'],
    ['"\\\\" ,  1', '"\\\\",1'],
    ['[12345678901234567890.10]', '[12345678901234567890.10]'],
  ])('%s', async (body, output) => {
    expect(await readResponse(jsonResponse(body), noSecrets)).toEqual({ ok: true, output })
  })

  test.each([
    ['text/plain; charset="iso-8859-1"', 'ü'],
    ['text/plain; charset=iso-8859-1 ', 'ü'],
    ['text/plain; charset=unknown', '\ufffd'],
  ])('decodes a body with the charset of %s', (header, text) => {
    expect(contentTypeOf(header).toText(Buffer.from([0xfc]))).toBe(text)
  })
})
