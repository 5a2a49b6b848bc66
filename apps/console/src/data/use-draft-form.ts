import { type FormEvent, useState } from 'react'
import { fieldErrorsOf } from './error-message'
import { useChange } from './use-change'

type FieldErrors = Readonly<Record<string, string>>

interface DraftFormOptions<Draft, Saved> {
  readonly start: Draft
  readonly errorsIn: (draft: Draft) => FieldErrors
  /** Creates or updates the resource. */
  readonly save: (draft: Draft) => Promise<Saved>
  /** The resource whose queries are refetched. */
  readonly resource: string
  /** Other resources that a change affects. */
  readonly affected?: readonly string[]
  readonly done: (draft: Draft) => string
  readonly onDone: (saved: Saved) => void
  /** Maps the field of a service error to the form's field, if the names differ. */
  readonly fieldOf?: (path: string) => string
  /** Returns the draft after saving, if the form stays open. */
  readonly restart?: (saved: Saved) => Draft
}

/** A form for a new or existing resource: draft, errors and saving. */
export function useDraftForm<Draft extends object, Saved>(options: DraftFormOptions<Draft, Saved>) {
  const { errorsIn, resource, affected = [], done, onDone, restart, fieldOf = (path) => path } = options
  const [start, setStart] = useState(options.start)
  const [draft, setDraft] = useState(start)
  const [wasTried, setTried] = useState(false)
  const found = errorsIn(draft)
  const save = useChange({
    change: async () => options.save(draft),
    changes: [resource, ...affected],
    done: done(draft),
    isErrorShown: true,
    onDone: (saved) => {
      if (restart !== undefined) {
        setStart(restart(saved))
        setDraft(restart(saved))
        setTried(false)
      }
      onDone(saved)
    },
  })
  const rejected = Object.entries(fieldErrorsOf(save.error)).map(([path, message]) => [
    fieldOf(path),
    message,
  ])
  return {
    fields: {
      draft,
      errors: { ...Object.fromEntries(rejected), ...(wasTried ? found : {}) } satisfies FieldErrors,
      onChange: (changed: Partial<Draft>) => setDraft({ ...draft, ...changed }),
    },
    drawer: {
      isOpen: true,
      onSubmit: (event: FormEvent<HTMLFormElement>) => {
        event.preventDefault()
        setTried(true)
        if (Object.keys(found).length === 0) save.mutate(undefined)
      },
      isBusy: save.isPending,
      isDirty: JSON.stringify(draft) !== JSON.stringify(start),
      error: save.error,
    },
  }
}
