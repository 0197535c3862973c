const link = document.querySelector('link[rel="local-stack"]');

/** What a local stack has beside the pages: the page of its chats, and its name. Null in a deployment, whose documents have no such link. */
export const LOCAL_STACK = link && { chats: link.getAttribute('href') ?? '', name: link.getAttribute('title') ?? '' };
