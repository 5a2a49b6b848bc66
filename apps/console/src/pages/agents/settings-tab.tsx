import {
  Anchor,
  Autocomplete,
  ColorInput,
  Group,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import type { AgentDraft } from './agent-draft'
import { AgentSign, iconNames } from './agent-sign'
import { ModelFields } from './model-fields'
import { Section } from './section'
import type { TabProps } from './use-agent-editor'

type TextField = 'name' | 'description' | 'systemMessage' | 'icon' | 'iconColor' | 'imageUrl'

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
  const { draft, mistakes, change } = editing
  const field = (name: TextField) => ({
    value: draft[name] ?? '',
    error: mistakes[name],
    readOnly: isReadOnly,
  })
  const set = (name: TextField, text: string) => change(writtenAs(name, text))
  return (
    <Stack maw="62rem">
      <Section title="Who it is">
        <TextInput
          label="Name"
          description="As people see it."
          required
          maxLength={200}
          {...field('name')}
          onChange={({ currentTarget }) => set('name', currentTarget.value)}
        />
        <TextInput
          label="Description"
          description="What it is for. Other agents that can ask it read this too."
          {...field('description')}
          onChange={({ currentTarget }) => set('description', currentTarget.value)}
        />
        <Switch
          label="A tool of its own for MCP clients"
          description="Claude, editors and other programs that are connected to /mcp see it by its name. They can ask every agent in any case."
          checked={draft.mcpTool}
          onChange={({ currentTarget }) => change({ mcpTool: currentTarget.checked })}
          disabled={isReadOnly}
        />
      </Section>
      <Section title="What it is told">
        <Textarea
          label="Instructions"
          description="How it behaves, what it knows, how it greets. It reads them before every conversation."
          placeholder={
            'You are the front desk of a small hotel. Greet people with "Welcome to the Seaview. How can I help?" Be brief and kind.'
          }
          autosize
          minRows={10}
          maxRows={28}
          {...field('systemMessage')}
          onChange={({ currentTarget }) => set('systemMessage', currentTarget.value)}
        />
        <Text size="xs" c="dimmed" ta="right" data-figures>
          {draft.systemMessage.length.toLocaleString()} of 100,000 characters
        </Text>
      </Section>
      <ModelFields editing={editing} isReadOnly={isReadOnly} />
      <Section title="How it looks">
        <Group align="start" wrap="nowrap">
          <AgentSign agent={draft} size={56} />
          <SimpleGrid cols={{ base: 1, sm: 2 }} flex={1}>
            <Autocomplete
              label="Icon"
              description="One of these, or an emoji."
              data={iconNames}
              {...field('icon')}
              onChange={(text) => set('icon', text)}
            />
            <ColorInput
              label="Colour"
              description="Behind the icon."
              swatches={palette}
              eyeDropperButtonProps={{ 'aria-label': 'Take a colour from the screen' }}
              {...field('iconColor')}
              onChange={(text) => set('iconColor', text)}
            />
          </SimpleGrid>
        </Group>
        <TextInput
          label="Picture"
          description="An address that your own pages can show; it is not loaded here."
          placeholder="https://"
          {...field('imageUrl')}
          onChange={({ currentTarget }) => set('imageUrl', currentTarget.value)}
        />
        {draft.imageUrl !== null && mistakes.imageUrl === undefined && (
          <Anchor href={draft.imageUrl} target="_blank" rel="noreferrer" size="xs">
            Look at the picture in a new window
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
