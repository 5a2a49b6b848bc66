import type { TemporaryFile, TemporaryFileType } from '@parley/contract'
import type { PageRequest, RecordPage, ResourceRecord } from './resource-store.js'

/** What a file is to a model: text, or a picture. */
export type FileKind = 'text' | 'image'

export interface FileRecord extends Readonly<TemporaryFile>, ResourceRecord {
  readonly contentType: TemporaryFileType
  readonly kind: FileKind
  /** How many characters its text has; 0 for a picture. */
  readonly characterCount: number
  /** When its contents were all in; until then nobody sees it. */
  readonly completedAt: string | null
}

export interface FileFilter {
  readonly search?: string | undefined
  readonly conversationId?: string | undefined
  /** The moment at which they are seen. */
  readonly at: string
}

/** A part of a file's text that can be found and quoted. Together, in order, they are the whole text. */
export interface Passage {
  readonly position: number
  /** Where a person would look for it: "page 12"; null where there is no such place. */
  readonly label: string | null
  readonly content: string
}

export interface FoundPassage extends Passage {
  readonly fileId: string
}

/** Files that callers gave as context, for a while. What has expired is not seen any more, removed or not. */
export interface FileStore {
  insert(record: FileRecord): Promise<void>
  /** Adds contents; positions count from 0. */
  addChunk(fileId: string, position: number, content: Buffer): Promise<void>
  addPassages(fileId: string, passages: readonly Passage[]): Promise<void>
  /** Its contents are all in. */
  complete(record: FileRecord): Promise<void>
  /** One page of the complete files that have not expired, newest first, and the count of all that match. */
  list(organizationId: string, filter: FileFilter, page: PageRequest): Promise<RecordPage<FileRecord>>
  /** A complete file that has not expired. */
  find(organizationId: string, id: string, at: string): Promise<FileRecord | null>
  /** The same of several, in the order of the ids; those that are not found are left out. */
  findMany(organizationId: string, ids: readonly string[], at: string): Promise<readonly FileRecord[]>
  chunk(fileId: string, position: number): Promise<Buffer | null>
  /** Passages in their order, from a position on. */
  passages(fileId: string, from: number, limit: number): Promise<readonly Passage[]>
  /**
   * The passages of these files that answer a question best, best first: rare words that they share with it count
   * more than common ones.
   */
  searchPassages(
    fileIds: readonly string[],
    question: string,
    limit: number,
  ): Promise<readonly FoundPassage[]>
  /** Removes a file with its contents; false where it was not there any more. */
  remove(id: string): Promise<boolean>
  /** Gives files to a conversation; what it has already stays. */
  give(conversationId: string, fileIds: readonly string[], at: string): Promise<void>
  /** The files that a conversation was given and that have not expired, in the order they were given. */
  ofConversation(conversationId: string, at: string): Promise<readonly FileRecord[]>
  /** Of a conversation that is deleted. */
  takeFromConversation(conversationId: string): Promise<void>
}
