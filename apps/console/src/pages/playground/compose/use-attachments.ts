import { useCallback, useEffect, useRef, useState } from 'react'
import { useConsole } from '../../../data/console-context'
import { errorText } from '../../../data/error-message'

export interface Attachment {
  readonly key: string
  readonly name: string
  readonly sizeBytes: number
  /** Upload progress from 0 to 1. */
  readonly progress: number
  /** Null until uploaded. */
  readonly fileId: string | null
  readonly problem: string | null
}

export interface Attachments {
  readonly items: readonly Attachment[]
  readonly add: (files: readonly File[]) => void
  readonly remove: (key: string) => void
  /** The files were sent with a question and belong to the conversation now. */
  readonly forget: () => void
  /** The question was not sent, so the files stay for the next one. */
  readonly restore: (items: readonly Attachment[]) => void
}

/** The API's limit for one question. */
export const maxFiles = 20

/** Files for the next question. */
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
      // Unused files expire after a day in any case.
      if (fileId) void parley.temporaryFiles.delete(fileId).catch(() => undefined)
    },
    forget: () => setItems([]),
    restore: (given) => setItems((known) => [...given, ...known]),
  }
}
