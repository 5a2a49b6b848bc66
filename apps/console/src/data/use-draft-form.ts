import { type FormEvent, useState } from 'react'
import { fieldErrorsOf } from './error-words'
import { useChange } from './use-change'

type Mistakes = Readonly<Record<string, string>>

interface DraftFormOptions<Draft, Saved> {
  /** What stands in the form at first. */
  readonly start: Draft
  /** What can be seen before the service is asked. */
  readonly mistakesIn: (draft: Draft) => Mistakes
  /** Creates, or changes what there was. */
  readonly save: (draft: Draft) => Promise<Saved>
  /** The resource whose lists and pages are read again. */
  readonly resource: string
  readonly done: (draft: Draft) => string
  readonly onDone: (saved: Saved) => void
  /** The field of a mistake that the service has found, where it goes by another name there. */
  readonly fieldOf?: (path: string) => string
}

/** A form for something new or something that there is: its draft, what is wrong with it, and how it is saved. */
export function useDraftForm<Draft extends object, Saved>(options: DraftFormOptions<Draft, Saved>) {
  const { mistakesIn, resource, done, onDone, fieldOf = (path) => path } = options
  const [start] = useState(options.start)
  const [draft, setDraft] = useState(start)
  const [wasTried, setTried] = useState(false)
  const found = mistakesIn(draft)
  const save = useChange({
    change: async () => options.save(draft),
    changes: [resource],
    done: done(draft),
    isErrorShown: true,
    onDone,
  })
  const refused = Object.entries(fieldErrorsOf(save.error)).map(([path, message]) => [fieldOf(path), message])
  return {
    /** What the fields go by. */
    fields: {
      draft,
      mistakes: { ...Object.fromEntries(refused), ...(wasTried ? found : {}) } satisfies Mistakes,
      onChange: (changed: Partial<Draft>) => setDraft({ ...draft, ...changed }),
    },
    /** What its drawer goes by. */
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
