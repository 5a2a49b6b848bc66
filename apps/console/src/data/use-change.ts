import { notifications } from '@mantine/notifications'
import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import { showError } from '../parts/show-error'

interface ChangeOptions<Input, Result> {
  readonly change: (input: Input) => Promise<Result>
  /** The resources whose queries are refetched: 'Agent', 'ApiKey', … */
  readonly changes: readonly string[]
  /** The notice after success. */
  readonly done?: string
  readonly onDone?: (result: Result) => void
  /** Set if the form shows the error itself. */
  readonly isErrorShown?: boolean
}

/** A mutation of the API. Refetches the affected queries, and shows an error as text. */
export function useChange<Input, Result>({
  change,
  changes,
  done,
  onDone,
  isErrorShown = false,
}: ChangeOptions<Input, Result>): UseMutationResult<Result, Error, Input> {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: (result) => {
      for (const resource of changes) void queries.invalidateQueries({ queryKey: [resource] })
      if (done !== undefined) notifications.show({ message: done, color: 'green' })
      onDone?.(result)
    },
    onError: (error) => {
      if (!isErrorShown) showError(error)
    },
  })
}
