import {
  Anchor,
  Autocomplete,
  ColorInput,
  Group,
  SimpleGrid,
  Stack,
  Switch,
  TagsInput,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import { Section } from '../../parts/section'
import type { AgentDraft } from './agent-draft'
import { AgentSign, iconNames } from './agent-sign'
import { EndUserFields } from './end-user-fields'
import { ModelFields } from './model-fields'
import type { TabProps } from './use-agent-editor'
import { VariableFields } from './variable-fields'

type TextField = 'name' | 'description' | 'systemMessage' | 'firstMessage' | 'icon' | 'iconColor' | 'imageUrl'

const palette = [
  '#0b6b3f',
  '#2f6f4f',
  '#1c6e8c',
  '#4a5a8a',
  '#6b4a8a',
  '#8a4a62',
  '#9c4a1a',
  '#6b5a1a',
  '#4b5563',
]

/** Name, instructions, model and voice of the agent. */
export function SettingsTab({ editing, isReadOnly }: TabProps) {
  const { draft, errors, change } = editing
  const field = (name: TextField) => ({
    value: draft[name] ?? '',
    error: errors[name],
    readOnly: isReadOnly,
  })
  const set = (name: TextField, text: string) => change(writtenAs(name, text))
  return (
    <Stack maw="62rem">
      <Section title="General">
        <TextInput
          label="Name"
          description="Shown to users."
          required
          maxLength={200}
          {...field('name')}
          onChange={({ currentTarget }) => set('name', currentTarget.value)}
        />
        <TextInput
          label="Description"
          description="What the agent is for. Other agents that can ask it read this too."
          {...field('description')}
          onChange={({ currentTarget }) => set('description', currentTarget.value)}
        />
        <Switch
          label="Expose as MCP tool"
          description="Adds a separate MCP tool for this agent. Without it, MCP clients can still use the ask_agent tool."
          checked={draft.mcpTool}
          onChange={({ currentTarget }) => change({ mcpTool: currentTarget.checked })}
          disabled={isReadOnly}
        />
      </Section>
      <Section title="Behavior">
        <Textarea
          label="Instructions"
          description="Behavior and knowledge of the agent."
          placeholder={'You are the front desk of a small hotel. Be brief and kind.'}
          autosize
          minRows={10}
          maxRows={28}
          {...field('systemMessage')}
          onChange={({ currentTarget }) => set('systemMessage', currentTarget.value)}
        />
        <Text size="xs" c="dimmed" ta="right" data-figures>
          {draft.systemMessage.length.toLocaleString()} of 100,000 characters
        </Text>
        <Textarea
          label="First message"
          description="The agent begins each new conversation with it. Leave it empty to let the user begin."
          placeholder="Welcome to the Seaview. How can I help?"
          autosize
          maxRows={6}
          maxLength={2000}
          {...field('firstMessage')}
          onChange={({ currentTarget }) => set('firstMessage', currentTarget.value)}
        />
        <TagsInput
          label="Example questions"
          description="Up to five questions to start a conversation with. Press Enter after each."
          placeholder={draft.exampleQuestions.length === 0 ? 'When is breakfast?' : ''}
          maxTags={5}
          maxLength={200}
          splitChars={[]}
          clearable
          value={draft.exampleQuestions}
          onChange={(exampleQuestions) => change({ exampleQuestions })}
          error={errors.exampleQuestions}
          readOnly={isReadOnly}
        />
        <VariableFields editing={editing} isReadOnly={isReadOnly} />
      </Section>
      <ModelFields editing={editing} isReadOnly={isReadOnly} />
      <EndUserFields editing={editing} isReadOnly={isReadOnly} />
      <Section title="Appearance">
        <Group align="start" wrap="nowrap">
          <AgentSign agent={draft} size={56} />
          <SimpleGrid cols={{ base: 1, sm: 2 }} flex={1}>
            <Autocomplete
              label="Icon"
              description="Icon name or emoji."
              data={iconNames}
              {...field('icon')}
              onChange={(text) => set('icon', text)}
            />
            <ColorInput
              label="Color"
              description="Background of the icon."
              swatches={palette}
              eyeDropperButtonProps={{ 'aria-label': 'Pick a color from the screen' }}
              {...field('iconColor')}
              onChange={(text) => set('iconColor', text)}
            />
          </SimpleGrid>
        </Group>
        <TextInput
          label="Image URL"
          description="For your own pages. The console does not load it."
          placeholder="https://"
          {...field('imageUrl')}
          onChange={({ currentTarget }) => set('imageUrl', currentTarget.value)}
        />
        {draft.imageUrl !== null && errors.imageUrl === undefined && (
          <Anchor href={draft.imageUrl} target="_blank" rel="noreferrer" size="xs">
            Open image in a new tab
          </Anchor>
        )}
      </Section>
    </Stack>
  )
}

/** Converts empty input to null, except for required text. */
function writtenAs(name: TextField, text: string): Partial<AgentDraft> {
  const isText = name === 'name' || name === 'systemMessage'
  return { [name]: isText || text !== '' ? text : null }
}
