import type { Page, TemporaryFileListQuery } from '@parley/contract'
import type { FileRecord } from '../../ports/conversation-stores.js'
import type { Database, OwnedDatabase } from '../../ports/database.js'
import type { FileText, TextCheck } from '../../ports/file-text.js'
import type { Log } from '../../ports/log.js'
import type { Clock } from '../../ports/time.js'
import { recordChange } from '../audit/record-change.js'
import type { Caller, CallerScope } from '../caller-scope.js'
import { type DomainError, invalidRequest, notFound } from '../domain-error.js'
import { type Limits, oneMore } from '../limits/organization-limits.js'
import { newResource, readPage, requireMatch, type TargetVersion } from '../resources/resource.js'
import {
  decideType,
  inBlocks,
  storedContent,
  storeText,
  supportedTypes,
  unsupportedType,
} from './file-content.js'

const type = 'TemporaryFile'

export type Files = ReturnType<typeof makeFiles>

export function makeFiles(dependencies: UploadDependencies & { readonly maxFileBytes: number }) {
  const { clock, maxFileBytes } = dependencies

  async function read({ stores, caller }: CallerScope, id: string): Promise<FileRecord> {
    const found = await stores.files.find(caller.organizationId, id, clock.now().toISOString())
    if (found === null) throw notFound(type)
    return found
  }

  return {
    maxFileBytes,

    list: ({ stores, caller }: CallerScope, query: TemporaryFileListQuery): Promise<Page<FileRecord>> => {
      const { Search: search, ConversationId: conversationId } = query
      const filter = { search, conversationId, at: clock.now().toISOString() }
      return readPage(query, (page) => stores.files.list(caller.organizationId, filter, page))
    },

    read,

    /** Returns a file and a function that reads its contents. */
    async open(scope: CallerScope, id: string) {
      const record = await read(scope, id)
      return { record, content: storedContent(scope.stores, record) }
    },

    /**
     * Uploads a file. The file can be used after this resolves. Must not be called inside a transaction,
     * because the upload may take any time.
     */
    upload: (caller: Caller, incoming: IncomingFile) => uploadFile(dependencies, caller, incoming),

    async remove(scope: CallerScope, { id, ifMatch }: TargetVersion): Promise<undefined> {
      const { version } = await read(scope, id)
      requireMatch(ifMatch, version)
      // Another request or retention has already removed the file.
      if (!(await scope.stores.files.remove(id))) throw notFound(type)
      await recordChange(clock, scope, { action: 'temporary_file.delete', type, id })
    },
  }
}

const maxNameLength = 255
const controlCharacter = /\p{Cc}/u

/** A file that is being uploaded. Reading `content` may throw an error of the upload. */
export interface IncomingFile {
  readonly name: string
  readonly declaredType: string
  /** The maximum size that the client announced. It counts towards the limits until the file is stored. */
  readonly maxBytes: number
  readonly content: AsyncIterable<Buffer>
  /** Aborts when the client disconnects. Its reason is thrown. */
  readonly signal: AbortSignal
}

interface UploadDependencies {
  readonly database: Database
  readonly clock: Clock
  readonly limits: Limits
  readonly log: Log
  readonly fileText: FileText
  readonly ttlSeconds: number
}

/**
 * Stores a file in constant memory. Contents are written to rows as they arrive, and are then read from there
 * to extract the text. The file becomes visible with the last statement. If an earlier step fails, all rows
 * are removed.
 */
async function uploadFile(
  dependencies: UploadDependencies,
  caller: Caller,
  incoming: IncomingFile,
): Promise<FileRecord> {
  const { database, limits } = dependencies
  const name = requireFileName(incoming.name)
  const blocks = inBlocks(incoming.content)
  const first = await blocks.next()
  if (first.done) throw invalidRequest([{ path: 'file', message: 'is empty' }])
  const { record, check } = await recordOf(dependencies, caller, {
    name,
    declaredType: incoming.declaredType,
    maxBytes: incoming.maxBytes,
    beginning: first.value,
  })
  const added = [oneMore('files'), { kind: 'fileBytes', amount: record.sizeBytes }] as const
  const own = database.ownedBy({ organizationId: record.organizationId, kind: 'file' })
  await limits.requireRoom({ stores: own.stores, caller }, added)
  await own.stores.files.insert(record)
  try {
    const sizeBytes = await storeBlocks(own, {
      id: record.id,
      check,
      first: first.value,
      rest: blocks,
    })
    const characterCount =
      record.kind === 'image' ? 0 : await storeText(dependencies, { ...record, sizeBytes }, incoming.signal)
    return await complete(dependencies, caller, { ...record, sizeBytes, characterCount })
  } catch (error) {
    await removeUnfinished(dependencies, record)
    throw error
  }
}

/** Returns the trimmed name. Throws if it is empty, too long, or has control characters. */
function requireFileName(name: string): string {
  const trimmed = name.trim()
  const mistake = mistakeIn(trimmed)
  if (mistake !== null) throw invalidRequest([{ path: 'file', message: mistake }])
  return trimmed
}

function mistakeIn(name: string): string | null {
  if (name === '') return 'must have a file name'
  if (name.length > maxNameLength) return `must have a file name of at most ${maxNameLength} characters`
  return controlCharacter.test(name) || !name.isWellFormed()
    ? 'must have a file name without control characters'
    : null
}

/** Removes an incomplete file. If that fails, the file stays invisible, and retention removes it later. */
async function removeUnfinished(
  { database, log }: UploadDependencies,
  { id: fileId, organizationId }: FileRecord,
): Promise<void> {
  try {
    await database.ownedBy({ organizationId, kind: 'file' }).stores.files.remove(fileId)
    log.info({ fileId }, 'an incomplete upload was removed')
  } catch (error) {
    log.warn({ err: error, fileId }, 'an incomplete upload could not be removed')
  }
}

interface FileBeginning {
  readonly name: string
  readonly declaredType: string
  readonly maxBytes: number
  readonly beginning: Buffer
}

/**
 * Returns the row of a file before its contents are stored, and for text files the check that the contents
 * are text.
 */
async function recordOf(
  { clock, fileText, ttlSeconds }: UploadDependencies,
  caller: Caller,
  { name, declaredType, maxBytes, beginning }: FileBeginning,
): Promise<{ readonly record: FileRecord; readonly check: TextCheck | null }> {
  const recognized = await fileText.recognize(beginning)
  const check = recognized === null ? fileText.checkText() : null
  if (check?.accepts(beginning) === false)
    throw unsupportedType(
      `Files of this type are not supported. Supported types: ${supportedTypes}. Text must be UTF-8.`,
    )
  const decision = decideType({ name, declaredType }, recognized ?? 'text')
  if (!decision.ok) throw unsupportedType(decision.refusal)
  const resource = newResource(clock, caller.organizationId)
  const record = {
    ...resource,
    name,
    contentType: decision.type,
    sizeBytes: maxBytes,
    expiresAt: secondsAfter(resource.createdAt, ttlSeconds),
    kind: decision.kind,
    characterCount: 0,
    completedAt: null,
  }
  return { record, check }
}

interface IncomingBlocks {
  readonly id: string
  readonly check: TextCheck | null
  readonly first: Buffer
  readonly rest: AsyncIterable<Buffer>
}

/** Stores the contents. Returns the number of bytes. */
async function storeBlocks(
  { stores: { files } }: OwnedDatabase,
  { id, check, first, rest }: IncomingBlocks,
): Promise<number> {
  await files.addChunk(id, 0, first)
  let [position, sizeBytes] = [1, first.length]
  for await (const block of rest) {
    if (check?.accepts(block) === false) throw notText()
    await files.addChunk(id, position, block)
    position += 1
    sizeBytes += block.length
  }
  if (check?.acceptsEnd() === false) throw notText()
  return sizeBytes
}

async function complete(
  { database, clock, ttlSeconds }: UploadDependencies,
  caller: Caller,
  record: FileRecord,
): Promise<FileRecord> {
  const now = clock.now().toISOString()
  const expiresAt = secondsAfter(now, ttlSeconds)
  const completed = { ...record, updatedAt: now, completedAt: now, expiresAt }
  const { contentType, sizeBytes } = completed
  const { organizationId } = record
  await database.ownedBy({ organizationId, kind: 'file' }).transaction(async (stores) => {
    await stores.files.complete(completed)
    await recordChange(
      clock,
      { stores, caller },
      {
        action: 'temporary_file.create',
        type: 'TemporaryFile',
        id: record.id,
        details: { contentType, sizeBytes },
      },
    )
  })
  return completed
}

function secondsAfter(moment: string, seconds: number): string {
  return new Date(Date.parse(moment) + seconds * 1000).toISOString()
}

function notText(): DomainError {
  return unsupportedType('The file starts as text but contains binary data. Text must be UTF-8.')
}
