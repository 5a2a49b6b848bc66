import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { describe, test } from 'vitest'
import { outcomeOfResult } from '#server/adapters/mcp-tools/tool-result.js'
import { expectLinear } from '../../support/growth.js'

const replies: readonly (readonly [name: string, resultOf: (size: number) => object])[] = [
  ['one long text', (size) => ({ content: [{ type: 'text', text: 'x'.repeat(size) }] })],
  [
    'many texts',
    (size) => ({ content: Array.from({ length: size / 40 }, () => ({ type: 'text', text: 'x' })) }),
  ],
  [
    'many parts without text',
    (size) => ({ content: Array.from({ length: size / 40 }, () => ({ type: 'text', text: '' })) }),
  ],
  [
    'a long image',
    (size) => ({ content: [{ type: 'image', mimeType: 'image/png', data: 'A'.repeat(size - (size % 4)) }] }),
  ],
  [
    'many fields',
    (size) => ({
      content: [],
      structuredContent: Object.fromEntries(
        Array.from({ length: size / 20 }, (_, index) => [`f${index}`, '"']),
      ),
    }),
  ],
  ['quotes', (size) => ({ content: [{ type: 'text', text: '"'.repeat(size) }] })],
]

describe('reading the reply of an MCP server [BND-1]', () => {
  test.each(replies)('takes time in proportion to its length: %s', async (_, resultOf) => {
    await expectLinear(
      (factor) => JSON.stringify(resultOf(40_000 * factor)),
      (text) => outcomeOfResult(CallToolResultSchema.parse(JSON.parse(text))),
    )
  })
})
