import { Box, Center, Paper, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { Sign } from '../parts/sign'

interface SignInFrameProps {
  readonly title: string
  readonly about?: ReactNode
  readonly children: ReactNode
}

/** The card of all pages that are shown before sign-in. */
export function SignInFrame({ title, about, children }: SignInFrameProps) {
  useEffect(() => {
    document.title = `${title} · Parley`
  }, [title])
  return (
    <Center mih="100dvh" p="md" pt="max(1rem, 14dvh)" component="main" style={{ alignItems: 'start' }}>
      <Stack w="100%" maw="25rem" gap="lg">
        <Center>
          <Sign />
        </Center>
        <Paper withBorder p="xl" radius="lg" bg="var(--parley-card)">
          <Stack>
            <Box>
              <Title order={1} fz="1.35rem">
                {title}
              </Title>
              {about !== undefined && (
                <Text c="dimmed" size="sm" mt={4} component="div">
                  {about}
                </Text>
              )}
            </Box>
            {children}
          </Stack>
        </Paper>
      </Stack>
    </Center>
  )
}
