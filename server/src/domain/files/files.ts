import type { Clock } from '../../ports/clock.js'
import type { Database, Stores } from '../../ports/database.js'
import type { FileRecord } from '../../ports/file-store.js'
import { recordChange } from '../audit/record-change.js'
import type { Caller } from '../caller.js'
import { notFound } from '../domain-error.js'
import { type IfMatch, requireMatch } from '../resources/if-match.js'
import { storedContent } from './stored-content.js'
import { type IncomingFile, type UploadDependencies, uploadFile } from './upload-file.js'

const type = 'TemporaryFile'
/** How long an upload may have been under way before it counts as one that was cut off. */
const unfinishedMilliseconds = 60 * 60 * 1000

export type Files = ReturnType<typeof makeFiles>

export function makeFiles(dependencies: UploadDependencies & { readonly maxFileBytes: number }) {
  const { clock, maxFileBytes } = dependencies

  async function read(stores: Stores, caller: Caller, id: string): Promise<FileRecord> {
    const found = await stores.files.find(caller.organizationId, id, clock.now().toISOString())
    if (found === null) throw notFound(type)
    return found
  }

  return {
    maxFileBytes,

    read,

    /** A file and its contents, as they are asked for. */
    async open(stores: Stores, caller: Caller, id: string) {
      const record = await read(stores, caller, id)
      return { record, content: storedContent(stores, record) }
    },

    /** Takes a file in, and answers when it can be used. Not inside a transaction: it takes as long as the sender likes. */
    upload: (caller: Caller, incoming: IncomingFile) => uploadFile(dependencies, caller, incoming),

    async remove(stores: Stores, caller: Caller, id: string, ifMatch: IfMatch): Promise<undefined> {
      const record = await read(stores, caller, id)
      requireMatch(ifMatch, record.version)
      // Somebody else, or the clean-up, was quicker.
      if (!(await stores.files.remove(id))) throw notFound(type)
      const details = { name: record.name }
      await recordChange(stores, clock, caller, { action: 'temporary_file.delete', type, id, details })
    },
  }
}

/** Removes files whose time is over, and what uploads that never ended left. */
export function removeOldFiles({ stores }: Database, clock: Clock): Promise<number> {
  const now = clock.now()
  const unfinishedBefore = new Date(now.getTime() - unfinishedMilliseconds)
  return stores.files.removeExpired(now.toISOString(), unfinishedBefore.toISOString())
}
