export const passwordAdvice =
  'At least 10 characters. Several unrelated words are easy to remember and hard to guess.'
