// The languages of the examples.
export const LANGUAGES = { curl: 'curl', node: 'Node.js', python: 'Python', php: 'PHP' } as const;
export type Language = keyof typeof LANGUAGES;
