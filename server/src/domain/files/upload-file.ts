import type { Clock } from '../../ports/clock.js'
import type { Database, Stores } from '../../ports/database.js'
import type { FileRecord, Passage } from '../../ports/file-store.js'
import type { FileText, ReadOutcome, ReadPassage, TextCheck } from '../../ports/file-text.js'
import type { Log } from '../../ports/log.js'
import { recordChange } from '../audit/record-change.js'
import { DomainError, invalidRequest } from '../domain-error.js'
import { newResource } from '../resources/new-resource.js'
import type { Caller } from '../scope.js'
import { storable } from '../storable-text.js'
import { inBlocks } from './blocks.js'
import { requireFileName } from './file-name.js'
import { decideType, takenTypes } from './file-type.js'
import { storedContent } from './stored-content.js'

/** How many passages are stored with one statement: the embedded database does one at a time, and others wait. */
const passagesTogether = 16

/** A file on its way in. Reading `content` may throw what is wrong with the upload. */
export interface IncomingFile {
  readonly name: string
  readonly declaredType: string
  readonly content: AsyncIterable<Buffer>
}

export interface UploadDependencies {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  readonly fileText: FileText
  readonly ttlSeconds: number
}

/**
 * Takes a file in, in constant memory: contents become rows as they come, and are read again from there to find their
 * text. Nobody sees anything of it until the last statement; whatever fails before takes it all away again.
 */
export async function uploadFile(
  dependencies: UploadDependencies,
  caller: Caller,
  incoming: IncomingFile,
): Promise<FileRecord> {
  const { database } = dependencies
  const name = requireFileName(incoming.name)
  const blocks = inBlocks(incoming.content)
  const first = await blocks.next()
  if (first.done) throw invalidRequest([{ path: 'file', message: 'is empty' }])
  const { record, check } = await recordOf(dependencies, caller, { ...incoming, name }, first.value)
  await database.stores.files.insert(record)
  try {
    const sizeBytes = await storeBlocks(database.stores, record, check, first.value, blocks)
    const characterCount =
      record.kind === 'image' ? 0 : await storeText(dependencies, { ...record, sizeBytes })
    return await complete(dependencies, caller, { ...record, sizeBytes, characterCount })
  } catch (error) {
    await forget(dependencies, record.id)
    throw error
  }
}

/** Takes an unfinished file away again. What cannot be removed now, nobody sees, and the clean-up removes later. */
async function forget({ database, log }: UploadDependencies, fileId: string): Promise<void> {
  try {
    await database.stores.files.remove(fileId)
    log.info({ fileId }, 'an unfinished upload was removed')
  } catch (error) {
    log.warn({ err: error, fileId }, 'an unfinished upload could not be removed')
  }
}

async function recordOf(
  { clock, fileText, ttlSeconds }: UploadDependencies,
  caller: Caller,
  claims: { readonly name: string; readonly declaredType: string },
  beginning: Buffer,
): Promise<{ readonly record: FileRecord; readonly check: TextCheck | null }> {
  const recognised = await fileText.recognise(beginning)
  const check = recognised === null ? fileText.checkText() : null
  if (check?.accepts(beginning) === false)
    throw unsupported(`Files of this type are not taken; ${takenTypes} are. Text must be UTF-8.`)
  const decision = decideType(claims, recognised ?? 'text')
  if (!decision.ok) throw unsupported(decision.refusal)
  const resource = newResource(clock, caller.organizationId)
  const record = {
    ...resource,
    name: claims.name,
    contentType: decision.type,
    sizeBytes: 0,
    expiresAt: secondsAfter(clock, ttlSeconds),
    kind: decision.kind,
    characterCount: 0,
    completedAt: null,
  }
  return { record, check }
}

async function storeBlocks(
  { files }: Stores,
  { id }: FileRecord,
  check: TextCheck | null,
  first: Buffer,
  others: AsyncIterable<Buffer>,
): Promise<number> {
  await files.addChunk(id, 0, first)
  let [position, sizeBytes] = [1, first.length]
  for await (const block of others) {
    if (check?.accepts(block) === false) throw notText()
    await files.addChunk(id, position, block)
    position += 1
    sizeBytes += block.length
  }
  if (check?.acceptsEnd() === false) throw notText()
  return sizeBytes
}

/** Stores the text of a file whose contents are stored; returns how many characters it has. */
async function storeText({ database, fileText }: UploadDependencies, record: FileRecord): Promise<number> {
  const { files } = database.stores
  let [position, characterCount] = [0, 0]

  async function onPassages(passages: readonly ReadPassage[]): Promise<void> {
    for (let start = 0; start < passages.length; start += passagesTogether) {
      const batch = passages.slice(start, start + passagesTogether).map(({ label, content }): Passage => {
        const passage = { position, label: label && storable(label), content: storable(content) }
        position += 1
        characterCount += passage.content.length
        return passage
      })
      await files.addPassages(record.id, batch)
    }
  }

  const { contentType, sizeBytes } = record
  const content = storedContent(database.stores, record)
  requireRead(await fileText.read({ contentType, sizeBytes, content, onPassages }))
  return characterCount
}

function requireRead(read: ReadOutcome): void {
  switch (read.kind) {
    case 'read':
      return
    case 'mislabelled':
      throw unsupported(`By its contents the file is ${read.detail}.`)
    case 'unreadable':
      throw invalidRequest([{ path: 'file', message: read.detail }])
    case 'busy':
      throw new DomainError('Unavailable', 'Too many files are being read at this moment. Try again soon.')
  }
}

async function complete(
  { database, clock, ttlSeconds }: UploadDependencies,
  caller: Caller,
  record: FileRecord,
): Promise<FileRecord> {
  const now = clock.now().toISOString()
  const completed = {
    ...record,
    updatedAt: now,
    completedAt: now,
    expiresAt: secondsAfter(clock, ttlSeconds),
  }
  const { name, contentType, sizeBytes } = completed
  await database.transaction(async (stores) => {
    await stores.files.complete(completed)
    await recordChange(
      clock,
      { stores, caller },
      {
        action: 'temporary_file.create',
        type: 'TemporaryFile',
        id: record.id,
        details: { name, contentType, sizeBytes },
      },
    )
  })
  return completed
}

function secondsAfter(clock: Clock, seconds: number): string {
  return new Date(clock.now().getTime() + seconds * 1000).toISOString()
}

function unsupported(detail: string): DomainError {
  return new DomainError('UnsupportedMediaType', detail, { errors: [{ path: 'file', message: detail }] })
}

function notText(): DomainError {
  return unsupported('The file begins as text and goes on as something else. Text must be UTF-8.')
}
