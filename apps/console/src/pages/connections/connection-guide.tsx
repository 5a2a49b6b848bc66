import { Accordion, Code, List, Text } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'

/** Help for choosing a connection, collapsed at first. */
export function ConnectionGuide() {
  return (
    <Accordion variant="contained" chevronPosition="right" bg="var(--parley-card)" radius="md">
      <Accordion.Item value="guide">
        <Accordion.Control icon={<IconInfoCircle size={18} />}>
          <Text size="sm">Which connection do I need?</Text>
        </Accordion.Control>
        <Accordion.Panel>
          <List size="sm" spacing="xs">
            <List.Item>
              <strong>Built-in</strong> is there from the start, hears and speaks without an account and sends
              nothing elsewhere. By itself it thinks with a small offline model, good for trying things out.
              Let it speak for another connection, and any text model gets ears and a voice.
            </List.Item>
            <List.Item>
              <strong>OpenAI</strong>: make a key at platform.openai.com, add a connection of that kind, paste
              the key. Name a text model such as <Code>gpt-5-mini</Code>; left empty, voice uses the service’s
              realtime model.
            </List.Item>
            <List.Item>
              <strong>Compatible with OpenAI</strong>: give the base address, which often ends in{' '}
              <Code>/v1</Code>, a key where the provider asks for one, and the names of its models. An address
              in a private network has to be allowed by the operator, in{' '}
              <Code>PARLEY_ALLOWED_PRIVATE_HOSTS</Code>.
            </List.Item>
          </List>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  )
}
