// One page of words for when Tongbox cannot be reached. Browsers allow this over https and on the
// computer that serves the pages, nowhere else.
navigator.serviceWorker?.register("/worker.js").catch(() => {});
