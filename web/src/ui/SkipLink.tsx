// The first stop of the Tab key: past the navigation, to the content. Unseen until it has the focus.
const CONTENT = 'content';

/** The page's `main` carries these. */
export const CONTENT_PROPS = { id: CONTENT, tabIndex: -1 } as const;

export function SkipLink() {
  return (
    <a
      href={`#${CONTENT}`}
      onClick={(event) => {
        event.preventDefault();
        document.getElementById(CONTENT)?.focus();
      }}
      className="sr-only focus:not-sr-only focus:fixed! focus:top-2 focus:left-2 focus:z-50 focus:rounded-lg focus:bg-surface focus:px-4 focus:py-2 focus:font-medium focus:text-accent focus:shadow-lg"
    >
      Skip to content
    </a>
  );
}
