// What web/guides.ts makes of a markdown file.
declare module '*.md?guide' {
  export const guide: import('./guide.ts').Guide;
}
