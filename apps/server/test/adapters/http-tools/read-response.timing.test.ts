import { Readable } from 'node:stream'
import { describe, test } from 'vitest'
import { contentTypeOf } from '#server/adapters/http-tools/content-type.js'
import { readResponse } from '#server/adapters/http-tools/read-response.js'
import { concealerOf } from '#server/adapters/secret-redaction/conceal-secrets.js'
import type { OutboundResponse } from '#server/ports/outbound.js'
import { expectLinear } from '../../support/growth.js'

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

describe('reading the response of a tool', () => {
  test.each([
    ['a string of escaped quotes that never ends', (size: number) => `"${'\\"'.repeat(size)}`],
    ['quotes alone', (size: number) => '"'.repeat(size)],
    ['backslashes alone', (size: number) => `"${'\\'.repeat(size)}`],
    ['only white space', (size: number) => ' \n'.repeat(size)],
    ['strings and spaces alternately', (size: number) => '"a b" '.repeat(size)],
  ])('takes time in proportion to the body: %s [BND-1]', async (_, textOf) => {
    await expectLinear(
      (factor) => jsonResponse(textOf(8000 * factor)),
      (response) => readResponse(response, noSecrets),
    )
  })

  test.each([
    ['spaces in a charset', (size: number) => `text/plain; charset=${' '.repeat(size)}"x`],
    ['spaces before a parameter', (size: number) => `text/plain;${' '.repeat(size)}x`],
    ['many parameters', (size: number) => `text/plain${';charset'.repeat(size / 8)}`],
    ['a long type', (size: number) => `${'a/+'.repeat(size / 3)}`],
  ])('takes time in proportion to the content type: %s [BND-1]', async (_, headerOf) => {
    await expectLinear(
      (factor) => headerOf(1000 * factor),
      (header) => contentTypeOf(header).toText(Buffer.from('x')),
    )
  })
})
