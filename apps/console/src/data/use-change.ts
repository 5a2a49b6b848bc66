import { notifications } from '@mantine/notifications'
import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import { showError } from '../parts/show-error'

interface ChangeOptions<Input, Result> {
  readonly change: (input: Input) => Promise<Result>
  /** The resources whose lists and pages are read again: 'Agent', 'ApiKey', … */
  readonly changes: readonly string[]
  /** Said when it is done. */
  readonly done?: string
  readonly onDone?: (result: Result) => void
  /** Where the form shows what is wrong itself. */
  readonly isErrorShown?: boolean
}

/** A change by the API: what it changes is read again, and its failure is told in words. */
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
