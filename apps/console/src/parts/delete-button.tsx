import { Button } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useChange } from '../data/use-change'
import { Confirm } from './confirm'

interface DeleteButtonProps {
  /** Label of the button and of the confirmation. */
  readonly action: string
  /** The title of the confirmation. */
  readonly question: string
  readonly onDelete: () => Promise<unknown>
  /** The consequences of the deletion. */
  readonly children: ReactNode
}

/** Deletes the resource of a drawer. */
export function DeleteButton({ action, question, onDelete, children }: DeleteButtonProps) {
  return (
    <Confirm
      title={question}
      action={action}
      onConfirm={onDelete}
      trigger={(open) => (
        <Button
          variant="subtle"
          color="red"
          leftSection={<IconTrash size={16} />}
          onClick={open}
          w="fit-content"
        >
          {action}
        </Button>
      )}
    >
      {children}
    </Confirm>
  )
}

interface DeleteResourceProps extends Omit<DeleteButtonProps, 'onDelete'> {
  /** The resource whose queries are refetched. */
  readonly resource: string
  readonly remove: () => PromiseLike<unknown>
  /** The notice after the deletion. */
  readonly done: string
  readonly onDeleted: () => void
}

/** The same, with the request and its notice. */
export function DeleteResource({ resource, remove, done, onDeleted, ...button }: DeleteResourceProps) {
  const deletion = useChange({
    change: async () => remove(),
    changes: [resource],
    done,
    onDone: onDeleted,
  })
  return <DeleteButton {...button} onDelete={() => deletion.mutateAsync(undefined)} />
}
