(select {lists})
