import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ReactNode, Ref } from 'react'

interface Linked {
  readonly ref?: Ref<HTMLAnchorElement>
  readonly children?: ReactNode
}

/** A link to a page, with the router's types. */
export const TextLink = createLink((props: AnchorProps & Linked) => <Anchor {...props} />)

/** The same, styled as a button. */
export const ButtonLink = createLink((props: ButtonProps & Linked) => <Button component="a" {...props} />)
