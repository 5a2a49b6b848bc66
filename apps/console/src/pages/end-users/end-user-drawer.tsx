import { TextInput } from '@mantine/core'
import type { EndUser } from '@parley/sdk'
import { useConsole } from '../../data/console-context'
import { useDraftForm } from '../../data/use-draft-form'
import { FormDrawer } from '../../parts/form-drawer'
import { draftOf, patchOf, validateDraft } from './end-user-draft'
import { MetadataRows } from './metadata-rows'

interface EndUserDrawerProps {
  readonly endUser: EndUser
  readonly onClose: () => void
}

/** Edits name and metadata. */
export function EndUserDrawer({ endUser, onClose }: EndUserDrawerProps) {
  const { parley } = useConsole()
  const { fields, drawer } = useDraftForm({
    start: draftOf(endUser),
    errorsIn: validateDraft,
    save: async (draft) => parley.endUsers.patch(endUser.id, patchOf(endUser, draft)),
    resource: 'EndUser',
    done: () => `${endUser.externalId} saved.`,
    onDone: onClose,
  })
  const { draft, errors, onChange } = fields
  return (
    <FormDrawer {...drawer} title="Edit end user" action="Save changes" onClose={onClose}>
      <TextInput
        label="Name"
        description="Your agents can use it as {{endUser.name}}."
        maxLength={200}
        data-autofocus
        value={draft.name}
        error={errors.name}
        onChange={({ currentTarget }) => onChange({ name: currentTarget.value })}
      />
      <MetadataRows rows={draft.metadata} errors={errors} onRows={(metadata) => onChange({ metadata })} />
    </FormDrawer>
  )
}
