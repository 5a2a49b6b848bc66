import { type UseFormReturnType, useForm } from '@mantine/form'
import { useState } from 'react'
import { fieldErrorsOf } from '../../data/error-message'
import { useChange } from '../../data/use-change'
import type { FormDrawerState } from '../../parts/form-drawer'

interface ShownOnceOptions<Values, Created> {
  readonly initialValues: Values
  readonly create: (values: Values) => Promise<Created>
  /** The resource whose list is refetched. */
  readonly resource: string
}

/** A resource created in a drawer, with a secret that is shown once. */
export interface ShownOnce<Values, Created> {
  readonly form: UseFormReturnType<Values>
  /** Validation errors by field. */
  readonly errors: Readonly<Record<string, string>>
  readonly drawer: FormDrawerState
  readonly open: () => void
  /** Null before creation and after closing. */
  readonly created: Created | null
  readonly putAway: () => void
}

export function useShownOnce<Values extends Record<string, unknown>, Created>({
  initialValues,
  create,
  resource,
}: ShownOnceOptions<Values, Created>): ShownOnce<Values, Created> {
  const [isOpen, setOpen] = useState(false)
  const [created, setCreated] = useState<Created | null>(null)
  const form = useForm<Values>({ initialValues })
  const close = () => {
    form.reset()
    creation.reset()
    setOpen(false)
  }
  const creation = useChange({
    change: create,
    changes: [resource],
    isErrorShown: true,
    onDone: (made) => {
      setCreated(made)
      close()
    },
  })
  return {
    form,
    errors: fieldErrorsOf(creation.error),
    drawer: {
      isOpen,
      onClose: close,
      onSubmit: form.onSubmit((values) => creation.mutate(values)),
      isBusy: creation.isPending,
      isDirty: form.isDirty(),
      error: creation.error,
    },
    open: () => setOpen(true),
    created,
    putAway: () => setCreated(null),
  }
}
