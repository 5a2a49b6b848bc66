import { notifications } from '@mantine/notifications'
import { createElement } from 'react'
import { wordsOf } from '../data/error-words'
import { ErrorText } from './error-notice'

/** Tells of a failure above the page, where it has no place in it. */
export function showError(error: unknown, title = 'That did not work'): void {
  notifications.show({ color: 'red', title, message: createElement(ErrorText, wordsOf(error)) })
}
