import { describe, expect, test } from 'vitest'
import { OutputBlocks } from '#server/adapters/database/embedded/output-blocks.js'
import { makeReadyForQuery } from '#server/adapters/database/embedded/wire-messages.js'

function collect(pieces: readonly Uint8Array[]) {
  const blocks: Uint8Array[] = []
  const output = new OutputBlocks((block) => blocks.push(block))
  for (const piece of pieces) output.append(piece)
  output.flush()
  return { blocks, status: output.status }
}

describe('gathering output', () => {
  test('copies what it is given, whose memory is used again', () => {
    const piece = new Uint8Array([1, 2, 3])
    const blocks: Uint8Array[] = []
    const output = new OutputBlocks((block) => blocks.push(block))
    output.append(piece)
    piece.fill(9)
    output.flush()
    expect(blocks).toEqual([new Uint8Array([1, 2, 3])])
  })

  test('makes few blocks of many pieces, and loses nothing', () => {
    const pieces = Array.from({ length: 1000 }, (_, index) => new Uint8Array(1024).fill(index % 256))
    const { blocks } = collect(pieces)
    expect(blocks).toHaveLength(4)
    expect(Buffer.concat(blocks).equals(Buffer.concat(pieces))).toBe(true)
    expect(blocks.every((block) => block.byteLength === block.buffer.byteLength)).toBe(true)
  })

  test.each([0, 1, 2, 3, 4, 5, 6])('finds the status wherever it is cut: %i', (cut) => {
    const end = makeReadyForQuery('failed')
    const { status } = collect([new Uint8Array(256 * 1024), end.subarray(0, cut), end.subarray(cut)])
    expect(status).toBe('failed')
  })

  test('finds no status where there is none', () => {
    expect(collect([]).status).toBeNull()
    expect(collect([makeReadyForQuery('idle'), new Uint8Array([1])]).status).toBeNull()
    expect(collect([makeReadyForQuery('idle').subarray(1)]).status).toBeNull()
  })
})
