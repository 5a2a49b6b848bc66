import { useCallback, useEffect, useRef, useState } from 'react'
import { useConsole } from '../../../data/console-context'
import { errorText } from '../../../data/error-words'

export interface Attachment {
  readonly key: string
  readonly name: string
  readonly sizeBytes: number
  /** From 0 to 1. */
  readonly progress: number
  /** Null until the service has it. */
  readonly fileId: string | null
  /** Why the service did not take it. */
  readonly problem: string | null
}

export interface Attachments {
  readonly items: readonly Attachment[]
  readonly add: (files: readonly File[]) => void
  readonly remove: (key: string) => void
  /** They were given with a question: the conversation has them now. */
  readonly forget: () => void
  /** The question did not reach the service: they are given with the next one. */
  readonly restore: (items: readonly Attachment[]) => void
}

/** As many as the service takes with one question. */
export const maxFiles = 20

/** Files that are on their way to the next question. */
export function useAttachments(): Attachments {
  const { parley } = useConsole()
  const [items, setItems] = useState<readonly Attachment[]>([])
  const uploads = useRef(new Map<string, AbortController>())

  const change = useCallback((key: string, fields: Partial<Attachment>) => {
    setItems((known) => known.map((item) => (item.key === key ? { ...item, ...fields } : item)))
  }, [])

  const upload = useCallback(
    async (key: string, file: File) => {
      const leaving = new AbortController()
      uploads.current.set(key, leaving)
      try {
        const { id } = await parley.temporaryFiles.create(file, {
          signal: leaving.signal,
          onProgress: ({ sentBytes, totalBytes }) => change(key, { progress: sentBytes / (totalBytes || 1) }),
        })
        change(key, { fileId: id, progress: 1 })
      } catch (error) {
        if (!leaving.signal.aborted) change(key, { problem: errorText(error) })
      } finally {
        uploads.current.delete(key)
      }
    },
    [parley, change],
  )

  useEffect(() => {
    const running = uploads.current
    return () => {
      for (const leaving of running.values()) leaving.abort()
    }
  }, [])

  return {
    items,
    add: (files) => {
      const taken = files
        .slice(0, maxFiles - items.length)
        .map((file) => ({ file, key: crypto.randomUUID() }))
      setItems((known) => [
        ...known,
        ...taken.map(({ file: { name, size }, key }) => ({
          key,
          name,
          sizeBytes: size,
          progress: 0,
          fileId: null,
          problem: null,
        })),
      ])
      for (const { file, key } of taken) void upload(key, file)
    },
    remove: (key) => {
      uploads.current.get(key)?.abort()
      const fileId = items.find((item) => item.key === key)?.fileId
      setItems((known) => known.filter((item) => item.key !== key))
      // It would be gone by itself tomorrow.
      if (fileId) void parley.temporaryFiles.delete(fileId).catch(() => undefined)
    },
    forget: () => setItems([]),
    restore: (given) => setItems((known) => [...given, ...known]),
  }
}
