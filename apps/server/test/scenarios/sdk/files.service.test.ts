import { InvalidRequestError, type UploadProgress } from '@parley/sdk'
import { describe, expect, test } from 'vitest'
import { useSdkService } from '../../support/sdk/sdk-service.js'

const service = useSdkService()

const text = 'The roof is new. '.repeat(20_000)
const bytes = new TextEncoder().encode(text)

async function* inPieces(): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 50_000) yield bytes.subarray(at, at + 50_000)
}

function fill(stream: ReadableStreamDefaultController<Uint8Array>): void {
  for (let at = 0; at < bytes.length; at += 90_000) stream.enqueue(bytes.subarray(at, at + 90_000))
  stream.close()
}

describe('an upload', () => {
  const kinds = {
    'a file': () => new File([text], 'note.txt', { type: 'text/plain' }),
    text: () => ({ name: 'note.txt', contents: text }),
    bytes: () => ({ name: 'note.txt', contents: bytes }),
    'a stream': () => ({
      name: 'note.txt',
      contents: new ReadableStream({ start: (stream) => fill(stream) }),
    }),
    'an async generator': () => ({ name: 'note.txt', contents: inPieces() }),
  }

  test.each(Object.entries(kinds))(
    'arrives byte for byte and reports its progress: %s [SDK-11]',
    async (_kind, make) => {
      const { parley } = service
      const input = make()
      const seen: UploadProgress[] = []
      const file = await parley.temporaryFiles.create(input, {
        onProgress: (progress) => seen.push(progress),
      })
      expect([file.name, file.sizeBytes]).toEqual(['note.txt', bytes.length])
      expect(await (await parley.temporaryFiles.getContent(file.id)).text()).toBe(text)
      const sizes = seen.map(({ sentBytes }) => sentBytes)
      expect(sizes.length).toBeGreaterThan(2)
      expect(sizes).toEqual(sizes.toSorted((one, other) => one - other))
      const isStream =
        'contents' in input && typeof input.contents === 'object' && !('byteLength' in input.contents)
      expect(seen.at(-1)).toEqual({ sentBytes: bytes.length, totalBytes: isStream ? null : bytes.length })
    },
  )

  test('keeps any file name [SDK-11]', async () => {
    const name = 'Größe "neu" 👋.txt'
    const file = await service.parley.temporaryFiles.create({ name, contents: 'x' })
    expect(file.name.replaceAll('%22', '"')).toBe(name)
  })

  test('reports a rejection, and repeats an early attempt unless it is a stream [SDK-11]', async () => {
    const { parley, proxy } = service
    const wrong = parley.temporaryFiles.create({ name: 'note.pdf', contents: 'no pdf' })
    await expect(wrong).rejects.toBeInstanceOf(InvalidRequestError)
    const early = { status: 429, headers: { 'retry-after': '0' } }
    proxy.failNext(early)
    expect((await parley.temporaryFiles.create({ name: 'note.txt', contents: text })).sizeBytes).toBe(
      bytes.length,
    )
    proxy.failNext(early)
    const stream = parley.temporaryFiles.create({ name: 'note.txt', contents: inPieces() })
    await expect(stream).rejects.toMatchObject({ status: 429 })
  })
})

test('a download can be read as a stream [SDK-11]', async () => {
  const { parley } = service
  const response = await parley.auditLog.export({ Format: 'csv' })
  expect(response.headers.get('content-type')).toContain('text/csv')
  expect((await response.text()).split('\n').length).toBeGreaterThan(3)
})
