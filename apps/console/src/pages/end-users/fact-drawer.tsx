import { Textarea } from '@mantine/core'
import type { EndUserFact } from '@parley/sdk'
import { useConsole } from '../../data/console-context'
import { useDraftForm } from '../../data/use-draft-form'
import { AgentSelect } from '../../parts/agent-select'
import { DeleteResource } from '../../parts/delete-button'
import { FormDrawer } from '../../parts/form-drawer'
import { TextLink } from '../../parts/text-link'

interface FactDrawerProps {
  readonly endUserId: string
  /** Null for a new fact. */
  readonly fact: EndUserFact | null
  readonly onClose: () => void
}

interface FactDraft {
  readonly agentId: string | null
  readonly text: string
}

/** Adds, edits or deletes one fact. */
export function FactDrawer({ endUserId, fact, onClose }: FactDrawerProps) {
  const { parley } = useConsole()
  const { fields, drawer } = useDraftForm({
    start: { agentId: fact?.agentId ?? null, text: fact?.text ?? '' },
    errorsIn: validateDraft,
    save: async ({ agentId, text }) => {
      if (fact === null) await parley.endUsers.createFact(endUserId, { agentId: agentId ?? '', text })
      else await parley.endUsers.patchFact(endUserId, fact.id, { text })
    },
    resource: 'EndUserFact',
    done: () => 'Fact saved.',
    onDone: onClose,
  })
  const { draft, errors, onChange } = fields
  return (
    <FormDrawer
      {...drawer}
      title={fact === null ? 'New fact' : 'Edit fact'}
      action={fact === null ? 'Add fact' : 'Save changes'}
      onClose={onClose}
    >
      {fact === null && (
        <AgentSelect
          label="Agent"
          placeholder="The agent that remembers it"
          value={draft.agentId}
          onChange={(agentId) => onChange({ agentId })}
          error={errors.agentId}
        />
      )}
      <Textarea
        label="Fact"
        description="One short statement. Instructions and links are rejected."
        placeholder="Prefers a room on a high floor."
        required
        autosize
        minRows={2}
        maxLength={500}
        value={draft.text}
        onChange={({ currentTarget }) => onChange({ text: currentTarget.value })}
        error={errors.text}
      />
      {fact?.conversationId && (
        <TextLink
          to="/conversations/$conversationId"
          params={{ conversationId: fact.conversationId }}
          size="sm"
        >
          View conversation
        </TextLink>
      )}
      {fact !== null && (
        <DeleteResource
          action="Delete"
          question="Delete fact?"
          resource="EndUserFact"
          remove={() => parley.endUsers.deleteFact(endUserId, fact.id)}
          done="Fact deleted."
          onDeleted={onClose}
        >
          The agent no longer remembers “{fact.text}”.
        </DeleteResource>
      )}
    </FormDrawer>
  )
}

function validateDraft({ agentId, text }: FactDraft): Readonly<Record<string, string>> {
  return {
    ...(agentId === null && { agentId: 'Agent is required' }),
    ...(text.trim() === '' && { text: 'Fact is required' }),
  }
}
