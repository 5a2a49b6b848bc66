import { once } from 'node:events'
import type { AuditLogRecord, Page } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeLog, makePdf, makePng, mebibyte } from '../../support/files/large-files.js'
import { beginUpload, boundary, filePart, firstAnswer, formEnd } from '../../support/files/raw-upload.js'
import { filesPath, type SentFile, sendForm, upload, uploaded } from '../../support/files/upload.js'
import { makeDocx } from '../../support/files/zip-files.js'
import { expectProblem } from '../../support/http/expect-problem.js'
import { send } from '../../support/http/send.js'
import { addApiKey, addOrganization } from '../../support/organizations.js'
import { databaseKinds, type RunningService, startService } from '../../support/start-service.js'

const maxFileBytes = mebibyte
const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'

/** Images are recognized by their signatures, so the rest of the content does not matter. */
const images: Readonly<Record<string, Buffer>> = {
  'image/png': makePng(2000),
  'image/jpeg': Buffer.concat([Buffer.from('ffd8ffe000104a464946000101', 'hex'), Buffer.alloc(100, 7)]),
  'image/gif': Buffer.concat([Buffer.from('GIF89a'), Buffer.alloc(100, 7)]),
  'image/webp': Buffer.concat([Buffer.from('RIFF\x64\0\0\0WEBPVP8 ', 'latin1'), Buffer.alloc(100, 7)]),
}

describe.each(databaseKinds)('files on %s', (database) => {
  let running: RunningService
  /** File types and forms are checked before the database is used, so one database is enough. */
  const onPostgresOnly = <Row>(rows: readonly Row[]) => (database === 'postgres' ? rows : [])
  const get = (id: string, more = '') => running.client.call('GET', `${filesPath}/${id}${more}`)
  /** Deletes all stored files and returns their number, including unfinished ones. */
  const takeAll = () =>
    running.service.database.stores.retention.removeBefore('expiredFiles', '9999-01-01T00:00:00Z', 1000)

  beforeAll(async () => {
    running = await startService({ database, env: { PARLEY_MAX_FILE_BYTES: String(maxFileBytes) } })
  })

  afterAll(() => running.close())

  test('files can be uploaded, read, listed, downloaded and deleted [FILE-1] [FILE-13]', async () => {
    const content = Buffer.concat([images['image/png'] ?? Buffer.alloc(0), Buffer.alloc(700_000, 'contents')])
    const { status, headers, body } = await upload(running, { name: 'Übersicht (1).png', content })
    expect([status, headers.get('etag')]).toEqual([201, '"1"'])
    expect(body).toEqual({
      id: expect.any(String),
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      name: 'Übersicht (1).png',
      contentType: 'image/png',
      sizeBytes: content.length,
      expiresAt: expect.any(String),
    })
    expect(Date.parse(body.expiresAt) - Date.parse(body.updatedAt)).toBe(86_400_000)
    expect((await get(body.id)).body).toEqual(body)
    const listed = await running.client.call('GET', `${filesPath}?Search=bersicht&Limit=1`)
    expect(listed.body).toEqual({ items: [body], totalCount: 1, offset: 0, limit: 1 })
    expect((await running.client.call('GET', `${filesPath}?ConversationId=none`)).status).toBe(400)

    const { url, apiKey, organizationId } = running
    const download = await fetch(`${url}${filesPath}/${body.id}/content`, {
      headers: { 'x-api-key': apiKey, 'x-org-id': organizationId },
    })
    expect(Buffer.from(await download.arrayBuffer()).equals(content)).toBe(true)
    expect(Object.fromEntries(download.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(content.length),
      'content-disposition': `attachment; filename="_bersicht (1).png"; filename*=UTF-8''%C3%9Cbersicht%20%281%29.png`,
      'x-content-type-options': 'nosniff',
    })

    const remove = (ifMatch: string) =>
      running.client.call('DELETE', `${filesPath}/${body.id}`, { headers: { 'if-match': ifMatch } })
    expect((await remove('"2"')).status).toBe(412)
    expect((await remove('"1"')).status).toBe(204)
    for (const answer of [await remove('*'), await get(body.id), await get(body.id, '/content')])
      expect(answer.status).toBe(404)
    expect(await takeAll()).toBe(0)
  })

  test('files are stored together with their audit record [FILE-1]', async () => {
    const { id } = await uploaded(running, { name: 'audited.txt', content: 'Words.' })
    const path = '/api/v1/AuditLog?Action=temporary_file.create'
    const { body } = await running.client.call<Page<AuditLogRecord>>('GET', path)
    expect(body.items.find(({ resourceId }) => resourceId === id)).toMatchObject({
      resourceType: 'TemporaryFile',
      details: { contentType: 'text/plain', sizeBytes: 6 },
    })
  })

  const words = 'A few words.'
  type Named = Partial<SentFile> & Pick<SentFile, 'name'>
  const known: readonly (readonly [file: Named, type: string])[] = [
    [{ name: 'a.txt' }, 'text/plain'],
    [{ name: 'a.TXT', type: 'application/octet-stream' }, 'text/plain'],
    [{ name: 'a' }, 'text/plain'],
    [{ name: 'a.py', type: 'text/x-python' }, 'text/plain'],
    [{ name: 'a.txt', content: 'BM, MZ and %!PS are words too' }, 'text/plain'],
    [{ name: 'a.md' }, 'text/markdown'],
    [{ name: 'a', type: 'text/markdown' }, 'text/markdown'],
    [{ name: 'a.csv', type: 'application/vnd.ms-excel' }, 'text/csv'],
    [{ name: 'a.json', type: 'application/json', content: '{"not":"closed"' }, 'application/json'],
    [{ name: 'a.html', type: 'text/plain' }, 'text/html'],
    ...Object.entries(images).map(
      ([type, content]) => [{ name: `a.${type.slice(6)}`, content }, type] as const,
    ),
    ...Object.entries(images).map(([type, content]) => [{ name: 'image', content }, type] as const),
  ]
  const taken = known.map(([file, type]) => {
    const sent: SentFile = { content: words, ...file }
    return [`${file.name} of ${file.type ?? 'no type'}`, sent, type] as const
  })

  test.each(onPostgresOnly(taken))('files get the right type: %s [FILE-4]', async (_, file, type) => {
    expect((await uploaded(running, file)).contentType).toBe(type)
  })

  const documents: readonly (readonly [file: Named, content: () => Promise<Buffer>, type: string])[] = [
    [{ name: 'a.pdf' }, () => makePdf(['A page.']), 'application/pdf'],
    [{ name: 'a' }, () => makePdf(['A page.']), 'application/pdf'],
    [{ name: 'a.docx' }, () => makeDocx({ A: 'B' }), docx],
    [{ name: 'a', type: docx }, () => makeDocx({ A: 'B' }), docx],
  ]

  test.each(onPostgresOnly(documents))(
    'documents get their type from their content: %j [FILE-4]',
    async (file, content, type) => {
      expect((await uploaded(running, { ...file, content: await content() })).contentType).toBe(type)
    },
  )

  test('files of another organization are not found [FILE-2]', async () => {
    const other = await addOrganization(running)
    const { id } = await uploaded({ url: running.url, ...other }, { name: 'theirs.txt', content: 'Theirs.' })
    for (const path of [`${filesPath}/${id}`, `${filesPath}/${id}/content`]) {
      expect((await running.client.as(other).call('GET', path)).status).toBe(200)
      expect((await running.client.call('GET', path)).status).toBe(404)
    }
    expect((await running.client.call('DELETE', `${filesPath}/${id}`)).status).toBe(404)
    expect((await running.client.as(other).call('GET', `${filesPath}/${id}`)).status).toBe(200)
    expect(
      await running.service.database.stores.files.findMany(running.organizationId, [id], '2020-01-01'),
    ).toEqual([])
  })

  test('files cannot be uploaded or deleted with a key that may only read [FILE-1]', async () => {
    const { id } = await uploaded(running, { name: 'a.txt', content: 'Words.' })
    const apiKey = await addApiKey(running.service.database.stores, running.organizationId, ['file:read'])
    expect((await upload({ ...running, apiKey }, { name: 'a.txt', content: 'Words.' })).status).toBe(403)
    const reader = running.client.as({ apiKey })
    expect((await reader.call('GET', `${filesPath}/${id}/content`)).status).toBe(200)
    expect((await reader.call('DELETE', `${filesPath}/${id}`)).status).toBe(403)
  })

  const form = (...parts: readonly (readonly [field: string, value: string | File])[]) => {
    const made = new FormData()
    for (const [field, value] of parts)
      typeof value === 'string' ? made.append(field, value) : made.append(field, value)
    return made
  }
  const note = new File(['Words.'], 'note.txt')
  const badForms: readonly (readonly [title: string, form: FormData, path: string, why: RegExp])[] = [
    ['without a file', form(), 'file', /missing/],
    ['with two files', form(['file', note], ['file', note]), 'file', /twice/],
    ['with another field first', form(['title', 'x'], ['file', note]), 'title', /is not a field/],
    ['with another field last', form(['file', note], ['title', 'x']), 'title', /is not a field/],
    ['with the file in another field', form(['document', note]), 'document', /is not a field/],
    ['with a text instead of a file', form(['file', 'Words.']), 'file', /must have a file name/],
    ['with an empty file', form(['file', new File([], 'empty.txt')]), 'file', /empty/],
    ['with a blank name', form(['file', new File(['Words.'], ' ')]), 'file', /must have a file name/],
    ['with a name that is too long', form(['file', new File(['Words.'], 'x'.repeat(300))]), 'file', /255/],
  ]

  test.each(onPostgresOnly(badForms))(
    'no file is stored from a form %s [FILE-1]',
    async (_, sent, path, why) => {
      await takeAll()
      const { status, body } = await sendForm(running, sent)
      expect([status, body.errorCode, body.errors?.map((error) => error.path)]).toEqual([
        400,
        'InvalidRequest',
        [path],
      ])
      expect(body.detail).toMatch(why)
      expect(await takeAll()).toBe(0)
    },
  )

  const multipart = `multipart/form-data; boundary=${boundary}`
  const badBodies: readonly (readonly [
    title: string,
    code: 'InvalidRequest' | 'UnsupportedMediaType',
    type: string,
    body: string,
  ])[] = [
    ['that ends inside the file', 'InvalidRequest', multipart, filePart('a.txt', 'Words.').trimEnd()],
    ['without the closing boundary', 'InvalidRequest', multipart, filePart('a.txt', 'Words.')],
    ['with another boundary', 'InvalidRequest', multipart, '--other\r\n\r\n\r\n--other--\r\n'],
    ['without a boundary', 'InvalidRequest', 'multipart/form-data', filePart('a.txt', 'Words.') + formEnd],
    ['of nothing', 'InvalidRequest', multipart, ''],
    ['of JSON', 'UnsupportedMediaType', 'application/json', '{"file":"Words."}'],
    ['of raw bytes', 'UnsupportedMediaType', 'application/octet-stream', 'Words.'],
  ]

  test.each(onPostgresOnly(badBodies))(
    'no file is stored from a body %s [FILE-1]',
    async (_, code, type, body) => {
      await takeAll()
      const { apiKey, organizationId } = running
      const headers = { 'x-api-key': apiKey, 'x-org-id': organizationId, 'content-type': type }
      expectProblem(await send(running.url, { method: 'POST', path: filesPath, headers, body }), code)
      expect(await takeAll()).toBe(0)
    },
  )

  test('files are accepted up to the size limit and rejected one byte above it [FILE-3]', async () => {
    const allowed = makeLog(maxFileBytes)
    expect((await uploaded(running, { name: 'a.txt', content: allowed })).sizeBytes).toBe(maxFileBytes)
    await takeAll()
    const { status, body } = await upload(running, { name: 'a.txt', content: `${allowed}.` })
    expect([status, body.errorCode]).toEqual([413, 'TooLarge'])
    expect(body.detail).toContain(String(maxFileBytes))
    expect(await takeAll()).toBe(0)
  })

  test('files that are too large are rejected during the upload [FILE-3]', async () => {
    const announced = await beginUpload(running, 100 * maxFileBytes)
    expect(await firstAnswer(announced)).toMatch(/^HTTP\/1\.1 413 /)
    announced.destroy()

    const oversized = await beginUpload(running, maxFileBytes + 60_000)
    const answered = firstAnswer(oversized)
    oversized.write(filePart('a.txt', 'x'.repeat(maxFileBytes + 10)).slice(0, -10))
    expect(await answered).toMatch(/^HTTP\/1\.1 413 /)
    oversized.destroy()
    expect((await get('00000000-0000-7000-8000-000000000000')).status).toBe(404)
  })

  test('an upload that is cut off leaves nothing behind [FILE-2]', async () => {
    await takeAll()
    for (const sent of ['', filePart('a.txt', 'Words.').slice(0, 20)]) {
      const socket = await beginUpload(running, 700_000)
      socket.end(sent)
      await once(socket.resume(), 'close')
    }
    const removed = () =>
      running.log.filter((line) => line.includes('an incomplete upload was removed')).length
    const before = removed()
    const socket = await beginUpload(running, 700_000)
    socket.end(filePart('a.txt', 'x'.repeat(600_000)).slice(0, -9))
    await expect.poll(removed, { timeout: 60_000 }).toBe(before + 1)
    expect(await takeAll()).toBe(0)
  })

  test('ten concurrent uploads are all accepted [FILE-3]', { timeout: 120_000 }, async () => {
    // Each PDF is read in its own process, which makes this test expensive. Two are read at a time, so a
    // third one waits.
    const pdf = await makePdf(['A page.'])
    const sent = Array.from(
      { length: 10 },
      (_, index): SentFile =>
        index < 3
          ? { name: `${index}.pdf`, content: pdf }
          : { name: `${index}.txt`, content: makeLog(60_000 + index) },
    )
    const answers = await Promise.all(sent.map((file) => upload(running, file)))
    expect(answers.map(({ status, body }) => [status, body.name, body.sizeBytes])).toEqual(
      sent.map(({ name, content }) => [201, name, Buffer.byteLength(content)]),
    )
  })
})
