import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makePdf, makePng } from '../../support/files/large-files.js'
import { hostilePdfs, overstatedPdf } from '../../support/files/pdf-files.js'
import { type SentFile, upload, uploaded } from '../../support/files/upload.js'
import { makeDocumentZip, makeDocx, makeZip } from '../../support/files/zip-files.js'
import { type RunningService, startService } from '../../support/start-service.js'

const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const zeros = Buffer.alloc(20 * 1024 * 1024)
const manyEntries = Array.from({ length: 6000 }, (_, index) => ({ name: `${index}`, content: 'x' }))
const innerBomb = makeZip([{ name: 'bomb', content: zeros }])

const hostileDocuments: Readonly<Record<string, readonly [content: Buffer, why: RegExp]>> = {
  'a document that decompresses to a thousand times its size': [
    makeDocumentZip([{ name: 'word/media/image1.png', content: zeros }]),
    /too large when it is unzipped/,
  ],
  'a document with thousands of entries': [makeDocumentZip(manyEntries), /more than 5000 entries/],
  'a document with overlapping entries': [
    makeDocumentZip([{ name: 'word/media/image1.png', content: zeros.subarray(0, 1024 * 1024) }], 200),
    /too large|damaged/,
  ],
  'a document with a false size': [
    makeDocumentZip([{ name: 'word/media/image1.png', content: zeros, claimedBytes: 10 }]),
    /damaged/,
  ],
  'a truncated document': [makeDocumentZip().subarray(0, 60), /damaged/],
  'a zip without a document': [makeDocumentZip(), /damaged/],
}

let running: RunningService

beforeAll(async () => {
  running = await startService()
})

afterAll(() => running.close())

/** Uploads the file, checks the error, and checks that the service still works. */
async function expectRefused(file: SentFile, code: string, why: RegExp): Promise<void> {
  const { status, body } = await upload(running, file)
  expect([status, body.errorCode], body.detail).toEqual([code === 'InvalidRequest' ? 400 : 415, code])
  expect(body.detail).toMatch(why)
  expect(body.errors?.map(({ path }) => path)).toEqual(['file'])
  expect((await upload(running, { name: 'well.txt', content: 'All is well.' })).status).toBe(201)
}

describe('hostile uploads [FILE-6]', () => {
  test.each(Object.entries(hostilePdfs))('the service rejects %s', async (_, [content, why]) => {
    await expectRefused({ name: 'x.pdf', content, type: 'application/pdf' }, 'InvalidRequest', why)
  })

  test.each(Object.entries(hostileDocuments))('the service rejects %s', async (_, [content, why]) => {
    await expectRefused({ name: 'x.docx', content, type: docx }, 'InvalidRequest', why)
  })

  test('the service does not open a zip inside a document', async () => {
    const content = makeDocumentZip([{ name: 'word/embeddings/inner.zip', content: innerBomb }])
    await expectRefused({ name: 'x.docx', content, type: docx }, 'InvalidRequest', /damaged/)
  })

  test('the service reads only the one real page of a PDF that claims a million pages', async () => {
    expect((await uploaded(running, { name: 'x.pdf', content: overstatedPdf })).contentType).toBe(
      'application/pdf',
    )
  })
})

describe('uploads whose contents do not match their type [FILE-5]', async () => {
  const pdf = await makePdf(['A page.'])
  const mislabeled: readonly (readonly [title: string, file: SentFile])[] = [
    ['a zip named as a PDF', { name: 'x.pdf', content: makeZip([{ name: 'a', content: 'a' }]) }],
    ['a zip named as a Word document', { name: 'x.docx', content: makeZip([{ name: 'a', content: 'a' }]) }],
    ['a PDF named as a Word document', { name: 'x.docx', content: pdf }],
    ['a Word document named as a PDF', { name: 'x.pdf', content: await makeDocx({ A: 'B' }) }],
    ['a PDF named as a text file', { name: 'x.txt', content: pdf }],
    ['a text file named as a PDF', { name: 'x.pdf', content: 'Words.' }],
    ['a text file named as an image', { name: 'x.png', content: 'Words.' }],
    ['a PNG named as a JPEG', { name: 'x.jpg', content: makePng(1000) }],
    ['a text file declared as an image', { name: 'x', content: 'Words.', type: 'image/png' }],
    ['an image declared as a PDF', { name: 'x', content: makePng(1000), type: 'application/pdf' }],
    ['a text file with a NUL', { name: 'x.txt', content: 'Wo\0rds.' }],
    ['a text file that is not UTF-8', { name: 'x.txt', content: Buffer.from([0x57, 0xff, 0xfe, 0x57]) }],
    [
      'a text file that ends in half a character',
      { name: 'x.txt', content: Buffer.from([0x57, 0xe2, 0x82]) },
    ],
    [
      'a text file whose last byte is not UTF-8',
      { name: 'x.txt', content: Buffer.concat([Buffer.alloc(600_000, 'word '), Buffer.from([0xff])]) },
    ],
  ]

  test.each(mislabeled)('the service rejects %s', async (_, file) => {
    await expectRefused(file, 'UnsupportedMediaType', /content|not supported|UTF-8/)
  })

  const unknown: readonly (readonly [title: string, file: SentFile])[] = [
    ['a program', { name: 'x.exe', content: Buffer.from([0x4d, 0x5a, 0x90, 0, 3, 0, 0, 0]) }],
    ['a zip', { name: 'x.zip', content: makeZip([{ name: 'a', content: 'a' }]), type: 'application/zip' }],
    ['a drawing', { name: 'x.svg', content: '<svg/>', type: 'image/svg+xml' }],
    ['a spreadsheet', { name: 'x.xlsx', content: makeDocumentZip() }],
  ]

  test.each(unknown)('the service rejects the type of %s', async (_, file) => {
    await expectRefused(file, 'UnsupportedMediaType', /not supported/)
  })
})
